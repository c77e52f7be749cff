// Bundles the extension to dist/, and with --tests each unit test to out/. The bundle's inputs decide which notices of
// third parties go with it.
import { build } from "esbuild";
import fs from "node:fs";
import path from "node:path";

const here = import.meta.dirname;
const shared = { bundle: true, platform: "node", format: "cjs", target: "node20", absWorkingDir: here, logLevel: "warning" };

if (process.argv.includes("--tests")) {
  fs.rmSync(path.join(here, "out"), { recursive: true, force: true });
  const tests = fs.readdirSync(path.join(here, "tests/unit")).filter((name) => name.endsWith(".test.ts"));
  await build({
    ...shared,
    entryPoints: tests.map((name) => path.join("tests/unit", name)),
    outdir: "out",
    outExtension: { ".js": ".cjs" },
    sourcemap: "inline",
  });
} else {
  const result = await build({
    ...shared,
    entryPoints: ["src/extension.ts"],
    external: ["vscode"],
    outfile: "dist/extension.js",
    minify: true,
    metafile: true,
  });
  fs.writeFileSync(path.join(here, "ThirdPartyNotices.txt"), notices(Object.keys(result.metafile.inputs)));
}

/** The licences of every package of which a file is in the bundle. */
function notices(inputs) {
  const folders = new Set();
  for (const input of inputs) {
    const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) folders.add(found[1]);
  }
  const parts = [...folders].sort().map((folder) => {
    const about = JSON.parse(fs.readFileSync(path.join(here, folder, "package.json"), "utf8"));
    const file = fs.readdirSync(path.join(here, folder)).find((name) => /^licen[cs]e/i.test(name));
    if (!file) throw new Error(`${about.name} has no licence file.`);
    const text = fs.readFileSync(path.join(here, folder, file), "utf8").trim();
    return `${about.name} ${about.version} (${about.license})\n\n${text}\n`;
  });
  return `The file dist/extension.js holds code of these packages.\n\n${parts.join(`\n${"-".repeat(80)}\n\n`)}`;
}
