// Builds bundle/ from page/, with icons and fonts where Grafana's components expect them.
import { build } from "esbuild";
import { cp, mkdir } from "node:fs/promises";

const OUT = "bundle";

await mkdir(OUT, { recursive: true });
await build({
  entryPoints: { app: "page/main.tsx" },
  outdir: OUT,
  bundle: true,
  minify: true,
  format: "esm",
  target: "chrome109",
  jsx: "automatic",
  define: { "process.env.NODE_ENV": '"production"' },
  loader: { ".ttf": "empty", ".svg": "empty" },
  logLevel: "warning",
});
await cp("index.html", `${OUT}/index.html`);
await cp("node_modules/@grafana/ui/dist/public/img", `${OUT}/public/build/img`,
  { recursive: true });
for (const [name, weight] of [["Regular", 400], ["Medium", 500]]) {
  await cp(`node_modules/@fontsource/inter/files/inter-latin-${weight}-normal.woff2`,
           `${OUT}/public/fonts/inter/Inter-${name}.woff2`);
}
