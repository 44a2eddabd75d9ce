// The two sheets of the page: one for analysts, one for operators.
import { Switch } from "./switch.tsx";

export const SHEETS = ["analysis", "operations"] as const;
export type Sheet = (typeof SHEETS)[number];

const TITLES: Record<Sheet, string> = { analysis: "Analysis", operations: "Operations" };

export function SheetSwitch({ chosen, onChoose }: {
  chosen: Sheet; onChoose: (sheet: Sheet) => void;
}) {
  return <Switch label="Sheet" each={SHEETS} titles={TITLES} chosen={chosen} onChoose={onChoose} />;
}
