import assert from "node:assert/strict";
import { test } from "node:test";

import { findServer, findServers, onPath, shown, type Surroundings } from "../../src/server/find";

const FOLDER = "/srv/app";
const IN_FOLDER = "/srv/app/.venv/bin/flow-lsp";
const ON_PATH = "/usr/local/bin/flow-lsp";
const MANAGED = "/home/me/store/bin/flow-lsp";

function at(programs: readonly string[], changes: Partial<Surroundings> = {}): Surroundings {
  return {
    platform: "linux",
    searchPath: "/usr/local/bin:/usr/bin",
    folders: [FOLDER],
    trusted: true,
    home: "/home/me",
    setting: "",
    managed: undefined,
    isProgram: (path) => programs.includes(path),
    ...changes,
  };
}

test("a setting comes before the workspace, that before PATH, and that before the managed environment", () => {
  const all = [IN_FOLDER, ON_PATH, MANAGED, "/opt/flow-lsp"];
  const origins = [];
  for (let left = 0; left < 4; left++) {
    const setting = left === 0 ? "/opt/flow-lsp" : "";
    origins.push(findServer(at(all.slice(left === 0 ? 0 : left - 1), { setting, managed: MANAGED })).origin);
  }
  assert.deepEqual(origins, ["setting", "workspace", "path", "managed"]);
});

test("an untrusted workspace gives no server: not by .venv, not by PATH, not by a path that counts from it", () => {
  const inside = "/srv/app/bin/flow-lsp";
  const surroundings = at([IN_FOLDER, inside], { trusted: false, searchPath: "/srv/app/bin:/srv/app" });
  assert.equal(findServer(surroundings).origin, "none");
  assert.equal(findServer({ ...surroundings, trusted: true, folders: [FOLDER] }).origin, "workspace");
  for (const setting of ["bin/flow-lsp", "${workspaceFolder}/bin/flow-lsp"]) {
    const found = findServer({ ...surroundings, setting });
    assert.ok(found.origin === "none" && found.problem?.includes("not trusted"), JSON.stringify(found));
    assert.deepEqual(findServer({ ...surroundings, setting, trusted: true }), { origin: "setting", program: inside });
  }
});

test("relative entries of PATH never count", () => {
  for (const searchPath of [".", "", "bin", "..:bin:."]) {
    assert.equal(onPath("flow-lsp", { ...at(["flow-lsp", "bin/flow-lsp", "./flow-lsp"]), searchPath }), undefined);
  }
});

test("a setting that names no program is said, and nothing else is taken instead", () => {
  const found = findServer(at([ON_PATH, IN_FOLDER], { setting: "/opt/none", managed: MANAGED }));
  assert.deepEqual(found, { origin: "none", problem: 'flow.server.path names "/opt/none", which is no program.' });
});

test("a path may begin at the home directory, and hold what replace takes for a pattern", () => {
  assert.deepEqual(findServer(at(["/home/me/x$&/flow-lsp"], { setting: "~/x$&/flow-lsp" })), {
    origin: "setting",
    program: "/home/me/x$&/flow-lsp",
  });
});

test("the managed environment can be asked for by its name", () => {
  assert.equal(findServer(at([ON_PATH], { setting: "managed", managed: MANAGED })).origin, "managed");
  assert.equal(findServer(at([ON_PATH], { setting: "managed" })).origin, "none");
});

test("what others wrote is shown in at most 80 characters, none of which control anything", () => {
  assert.equal(Array.from(shown("😀".repeat(200))).length, 80);
  assert.equal(shown("a\u001b[2Jb\n"), "a�[2Jb�");
});

test("programs that turn out to be none are followed by the next ones, but not where a setting names one", () => {
  const all = [IN_FOLDER, ON_PATH, MANAGED];
  const found = findServers(at(all, { managed: MANAGED }));
  assert.ok(!("origin" in found));
  assert.deepEqual(found.map(({ program }) => program), all);
  const named = findServers(at([...all, "/opt/flow-lsp"], { setting: "/opt/flow-lsp", managed: MANAGED }));
  assert.deepEqual(named, [{ origin: "setting", program: "/opt/flow-lsp" }]);
});
