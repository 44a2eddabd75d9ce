// A row of buttons of which one is chosen.
export function Switch<T extends string>({ label, each, titles, chosen, onChoose }: {
  label: string; each: readonly T[]; titles: Record<T, string>; chosen: T;
  onChoose: (one: T) => void;
}) {
  return (
    <div class="switch" role="group" aria-label={label}>
      {each.map((one) => (
        <button key={one} type="button" aria-pressed={chosen === one}
          onClick={() => onChoose(one)}>{titles[one]}</button>))}
    </div>
  );
}
