import "uplot/dist/uPlot.min.css";
import "./style.css";
import { render } from "preact";
import { App, fromAddress } from "./app.tsx";
import { Daemon } from "./daemon.ts";

const daemon = new Daemon();
const asked = fromAddress();
[daemon.window, daemon.job] = [asked.get("window") ?? "", asked.get("job") ?? ""];
render(<App daemon={daemon} />, document.body);
daemon.start();
