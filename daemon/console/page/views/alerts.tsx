// The alerts with their states, and their latest messages: each names the vertices it is about.
import type { FiredAlert } from "../alerts.ts";
import { verticesOf } from "../alerts.ts";
import type { Daemon } from "../daemon.ts";
import { clock, count } from "../format.ts";
import { VertexButton } from "./ranking.tsx";

export function Alerts({ daemon, onVertex }: {
  daemon: Daemon; onVertex: (fired: FiredAlert, key: string) => void;
}) {
  const { alerts, messages } = daemon.book;
  if (alerts.length === 0) return null;
  const firing = alerts.filter((alert) => alert.state === "firing").length;
  return (
    <section class="panel alerts" aria-labelledby="alerts-title">
      <div class="title"><h2 id="alerts-title">Alerts</h2>
        <p class="aside">{count(firing)} of {count(alerts.length)} firing</p></div>
      <div class="columns">
        <div class="scroll" tabIndex={0} role="region" aria-label="Alerts and their states">
          <table>
            <thead><tr>
              <th scope="col">Alert</th><th scope="col">State</th>
              <th scope="col" class="number">Fired</th>
            </tr></thead>
            <tbody>
              {alerts.map((alert) => (
                <tr key={alert.name}>
                  <th scope="row">{alert.name}<span class="under">{alert.job}</span></th>
                  <td><span class={alert.state === "firing" ? "warn" : ""}>{alert.state}</span>
                    <span class="under">{alert.summary}</span></td>
                  <td class="number">{count(alert.fired)}</td>
                </tr>))}
            </tbody>
          </table>
        </div>
        <div class="scroll" tabIndex={0} role="region" aria-label="Latest messages of alerts">
          <Messages messages={messages} empty="No alert has fired yet." onVertex={onVertex} />
        </div>
      </div>
    </section>
  );
}

export function Messages({ messages, empty, onVertex }: {
  messages: FiredAlert[]; empty: string; onVertex: (fired: FiredAlert, key: string) => void;
}) {
  if (messages.length === 0) return <p class="empty">{empty}</p>;
  return (
    <table>
      <thead><tr>
        <th scope="col">Window until</th><th scope="col">Vertex</th><th scope="col">Message</th>
      </tr></thead>
      <tbody>
        {messages.map((fired, i) => (
          <tr key={i}>
            <td class="number">{clock(fired.window_end)}</td>
            <td>{verticesOf(fired).map((key) => (
              <VertexButton key={key} id={key} onVertex={() => onVertex(fired, key)} />))}</td>
            <td>{fired.text}<span class="under">{fired.alert}</span></td>
          </tr>))}
      </tbody>
    </table>
  );
}
