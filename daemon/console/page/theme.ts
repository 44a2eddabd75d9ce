// Dark or light: the system's setting, until the user chooses here; this browser keeps the choice.
import { useEffect, useState } from "preact/hooks";

export type Theme = "dark" | "light";

const CHOICE = "sash-theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

function current(): Theme {
  const chosen = localStorage.getItem(CHOICE);
  if (chosen === "dark" || chosen === "light") return chosen;
  return dark.matches ? "dark" : "light";
}

export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState(current);
  useEffect(() => {
    const follow = () => setTheme(current());
    dark.addEventListener("change", follow);
    return () => dark.removeEventListener("change", follow);
  }, []);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  const toggle = () => {
    const other = theme === "dark" ? "light" : "dark";
    localStorage.setItem(CHOICE, other);
    setTheme(other);
  };
  return [theme, toggle];
}
