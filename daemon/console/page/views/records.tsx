// What became of the records: by mapping, if the source has several, and in all.
import type { Daemon } from "../daemon.ts";
import { count, plural, short } from "../format.ts";

export function Records({ daemon }: { daemon: Daemon }) {
  const { source } = daemon.gauge;
  if (!source) return null;
  const { mappings, records, filtered, unmapped } = source;
  if (mappings.length === 0 && filtered === 0) return null;
  const counts = [plural(records, "record"), `${count(filtered)} filtered`];
  if (mappings.length > 0) counts.push(`${count(unmapped)} unmapped`);
  return (
    <section class="panel records" aria-labelledby="records-title">
      <div class="title">
        <h2 id="records-title">Records</h2><p class="aside">{counts.join(", ")}</p>
      </div>
      {mappings.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label="Table of mappings">
          <table>
            <thead><tr>
              <th scope="col">Mapping</th>
              <th scope="col" class="number" title="Edges">Accepted</th>
              <th scope="col" class="number" title="Records">Filtered</th>
              <th scope="col" class="number" title="Edges">Refused</th>
            </tr></thead>
            <tbody>
              {mappings.map((mapping) => (
                <tr key={mapping.name}>
                  <th scope="row">{mapping.name}</th>
                  <td class="number">{short(mapping.accepted)}</td>
                  <td class="number">{short(mapping.filtered)}</td>
                  <td class={`number${mapping.refused > 0 ? " warn" : ""}`}>
                    {short(mapping.refused)}</td>
                </tr>))}
            </tbody>
          </table>
        </div>)}
    </section>
  );
}
