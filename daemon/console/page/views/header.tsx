// The head of the page: the sheet, the window, the connection, the time, the switch of colours.
import { useEffect, useState } from "preact/hooks";
import type { Link } from "../connection.ts";
import type { Daemon } from "../daemon.ts";
import { clock, duration, parseTime } from "../format.ts";
import type { Theme } from "../theme.ts";
import { SheetSwitch, type Sheet } from "./sheets.tsx";

const LINKS: Record<Link, { label: string; hint: string }> = {
  connecting: { label: "Connecting", hint: "Asking the daemon for the first time" },
  live: { label: "Live", hint: "Following the events of the daemon" },
  polling: { label: "Polling", hint: "Events cannot be followed; asking every two seconds" },
  lost: { label: "Lost", hint: "The daemon does not answer" },
};

export function Header({ daemon, theme, sheet, onTheme, onWindow, onSheet, onKeys }: {
  daemon: Daemon; theme: Theme; sheet: Sheet; onTheme: () => void;
  onWindow: (name: string) => void; onSheet: (sheet: Sheet) => void; onKeys: () => void;
}) {
  const link = LINKS[daemon.connection.link];
  return (
    <header>
      <h1><img src="/console/icon.svg" alt="" width="24" height="24" />Sash</h1>
      <SheetSwitch chosen={sheet} onChoose={onSheet} />
      <label class="pick">
        <span>Window</span>
        <select value={daemon.window} onChange={(event) => onWindow(event.currentTarget.value)}>
          {daemon.windows.map((window) => <option key={window.name}>{window.name}</option>)}
        </select>
      </label>
      <span class={`link link-${daemon.connection.link}`} role="status" title={link.hint}>
        <span class="dot" aria-hidden="true" />{link.label}
      </span>
      <span class="spring" />
      <Clock offset={daemon.gauge.stream?.time} />
      <button type="button" class="quiet" onClick={onTheme}
        aria-label={`Switch to ${theme === "dark" ? "light" : "dark"} colours`}>
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="1.6" />
          <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
        </svg>
      </button>
      <button type="button" class="quiet" onClick={onKeys}
        aria-label="Keyboard shortcuts">?</button>
    </header>
  );
}

// The daemon's clock; this machine's clock advances it between responses.
function Clock({ offset }: { offset: string | undefined }) {
  const [now, setNow] = useState(() => Date.now());
  const [shift, setShift] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    if (offset) setShift((parseTime(offset) ?? Date.now()) - Date.now());
  }, [offset]);
  return (
    <time class="clock">{clock(Math.floor((now + shift) / 1000) * 1000)}{" "}
      <abbr title="Coordinated Universal Time">UTC</abbr></time>
  );
}

/** What to know before reading the views: one landmark, absent when there is nothing to show. */
export function Notices({ daemon }: { daemon: Daemon }) {
  // Called, not rendered: this function must know whether there are any. None of them has a state.
  const banners = [LostBanner({ daemon }), ReadinessBanner({ daemon }), NotesBanner({ daemon })];
  if (banners.every((banner) => banner === null)) return null;
  return <section aria-label="Notices">{banners}</section>;
}

function LostBanner({ daemon }: { daemon: Daemon }) {
  const { link, lostSince } = daemon.connection;
  if (link !== "lost" || lostSince == null) return null;
  const seconds = Math.floor((Date.now() - lostSince) / 1000);
  return (
    <div class="banner bad" role="alert">
      <strong>sashd does not answer</strong> at {location.host},
      since {clock(Math.floor(lostSince / 1000) * 1000)} UTC
      ({duration(seconds)} ago). What is shown is from before. The page goes on asking.
    </div>
  );
}

// A condition since the start that may not be intended: the broker is the embedded one.
function NotesBanner({ daemon }: { daemon: Daemon }) {
  const notes = daemon.readiness?.notes ?? [];
  if (notes.length === 0) return null;
  return (
    <div class="banner note-banner" role="note" data-banner="notes">
      <strong>Note.</strong> {notes.join("; ")}
    </div>
  );
}

function ReadinessBanner({ daemon }: { daemon: Daemon }) {
  const { connection, readiness } = daemon;
  if (connection.link === "lost" || !readiness || readiness.ready) return null;
  return (
    <div class="banner warn" role="status">
      <strong>Not ready.</strong> {readiness.reasons.join("; ")}
    </div>
  );
}
