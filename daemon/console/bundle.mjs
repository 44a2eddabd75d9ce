// Builds bundle/, which sashd embeds, from page/. bundle.sh calls it where the packages are.
import { build } from "esbuild";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";

const OUT = "bundle";
const BUNDLED = ["d3-dispatch", "d3-force", "d3-quadtree", "d3-timer", "preact", "uplot"];

async function licences() {
  const texts = ["The console contains these packages, unchanged but for being bundled.\n"];
  for (const name of BUNDLED) {
    const about = JSON.parse(await readFile(`node_modules/${name}/package.json`, "utf8"));
    const text = await readFile(`node_modules/${name}/LICENSE`, "utf8");
    texts.push(`--- ${name} ${about.version} (${about.license})\n\n${text.trim()}\n`);
  }
  return texts.join("\n");
}

await mkdir(OUT, { recursive: true });
await build({
  entryPoints: { app: "page/main.tsx" },
  outdir: OUT,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["chrome109", "firefox115", "safari16"],
  charset: "utf8",
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
});
for (const name of ["index.html", "icon.svg"]) await copyFile(`page/${name}`, `${OUT}/${name}`);
await writeFile(`${OUT}/licences.txt`, await licences());
