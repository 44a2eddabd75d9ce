// The dialogs: the list of keys, and the request for a token.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Daemon } from "../daemon.ts";

function Dialog({ open, onClose, title, children }: {
  open: boolean; onClose?: () => void; title: string; children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open && !dialog.current!.open) dialog.current!.showModal();
    if (!open && dialog.current!.open) dialog.current!.close();
  }, [open]);
  return (
    <dialog ref={dialog} aria-label={title} onClose={() => onClose?.()}
      onCancel={(event) => {
        if (!onClose) event.preventDefault();
      }}>
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}

const KEYS: [string, string][] = [
  ["/", "Look up a vertex"], ["j", "Next job of the window"], ["k", "Job before"],
  ["w", "Next window"], ["o", "Operations, or back"], ["t", "Dark or light"],
  ["← →", "On the timeline: slice by slice"],
  ["?", "This list"], ["Esc", "Close"],
];

export function ShortcutList({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
      <dl class="keys">
        {KEYS.map(([key, what]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{what}</dd></div>)}
      </dl>
      <button type="button" onClick={onClose}>Close</button>
    </Dialog>
  );
}

export function TokenQuestion({ daemon }: { daemon: Daemon }) {
  return (
    <Dialog open={daemon.connection.needsToken} title="This daemon asks for a token">
      <form onSubmit={(event) => {
        event.preventDefault();
        const given = new FormData(event.currentTarget).get("token");
        if (typeof given === "string" && given) void daemon.useToken(given.trim());
      }}>
        <label>Token
          <input name="token" type="password" autocomplete="off" required /></label>
        <p class="note">It is kept in this tab until it is closed,
          and sent to {location.host} alone.</p>
        <button type="submit">Use it</button>
      </form>
    </Dialog>
  );
}
