// Validates dashboards with Grafana's schema: validate.mjs FILE..., run in the folder of the
// packages. Prints {version of Grafana: {file: [defect]}}. The exit code is 0 even if there are
// defects.
import Ajv from "ajv";
import { readFile, writeFile } from "node:fs/promises";
import { createGenerator } from "ts-json-schema-generator";

// Packages of @grafana/schema: the oldest and the newest.
const VERSIONS = ["grafana-10", "grafana-13"];

// A validator for each member of Kinds, with the types of one version.
async function validatorsOf(version) {
  const settings = JSON.parse(await readFile("tsconfig.json", "utf8"));
  const about = JSON.parse(await readFile(`node_modules/${version}/package.json`, "utf8"));
  settings.compilerOptions.paths = {
    "@grafana/schema": [`./node_modules/${version}/${about.types ?? "dist/types/index.d.ts"}`],
    "@grafana/schema/*": [`./node_modules/${version}/*`],
  };
  const tsconfig = `tsconfig.${version}.json`;
  await writeFile(tsconfig, JSON.stringify(settings));
  const { properties } = createGenerator({ path: "kinds.ts", tsconfig, type: "Kinds",
    jsDoc: "none", expose: "none", topRef: false }).createSchema("Kinds");
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
  const validators = Object.entries(properties)
    .map(([kind, schema]) => [kind, ajv.compile(schema)]);
  return { version: about.version, ...Object.fromEntries(validators) };
}

function complaints(validators, where, kind, value) {
  const validate = validators[kind];
  if (validate(value)) return [];
  return validate.errors.map(({ instancePath, message, params }) =>
    `${where}${instancePath}: ${message} ${JSON.stringify(params)}`);
}

function panelComplaints(validators, panel) {
  const where = `panel ${panel.title}`;
  if (panel.type === "row") return complaints(validators, where, "row", panel);
  if (!validators[`${panel.type} options`]) return [`${where}: no type of panel: ${panel.type}`];
  return [
    ...complaints(validators, where, "panel", panel),
    ...complaints(validators, `${where}/options`, `${panel.type} options`, panel.options),
    ...complaints(validators, `${where}/custom`, `${panel.type} custom`,
                  panel.fieldConfig.defaults.custom ?? {}),
    ...panel.targets.flatMap((target) =>
      complaints(validators, `${where}/target ${target.refId}`, "query", target)),
  ];
}

function boardComplaints(validators, { panels, annotations, templating, ...board }) {
  return [
    ...complaints(validators, "board", "board", board),
    ...panels.flatMap((panel) => panelComplaints(validators, panel)),
    ...annotations.list.flatMap((annotation) =>
      complaints(validators, `annotation ${annotation.name}`, "annotation", annotation)),
    ...templating.list.flatMap((variable) =>
      complaints(validators, `variable ${variable.name}`, "variable", variable)),
  ];
}

const found = {};
for (const version of VERSIONS) {
  const validators = await validatorsOf(version);
  found[validators.version] = {};
  for (const file of process.argv.slice(2)) {
    const board = JSON.parse(await readFile(file, "utf8"));
    found[validators.version][file] = boardComplaints(validators, board);
  }
}
console.log(JSON.stringify(found, null, 1));
