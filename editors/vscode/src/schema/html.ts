/**
 * The page as HTML. All of its text is somebody else's and is escaped; ids are numbers of our own, so nothing that the
 * workspace names becomes a part of the markup. Scripts and styles run by the nonce alone, and nothing is loaded.
 */
import type { Page, Piece, Section } from "./page";

export function escaped(text: string): string {
  return text.replace(/[&<>"'`]/g, (letter) => `&#${String(letter.charCodeAt(0))};`);
}

/** The whole document. `gone` is a sentence where the page is of what is not there any more. */
export function htmlOf(page: Page, nonce: string, gone: string | undefined): string {
  const ids = new Map(page.sections.map((section, place) => [section.id, place]));
  const [tool, ...types] = page.sections;
  const facts = [
    ["Identity", page.identity],
    ["Fingerprint", page.fingerprint],
  ].map(([name, value]) => `<dt>${name!}</dt><dd><code>${escaped(value!)}</code></dd>`);
  const contents = types.map((section, place) => {
    const kind = `<span class="kind">${escaped(section.kind)}</span>`;
    return `<li><a href="#s${String(place + 1)}">${escaped(section.heading)}</a> ${kind}</li>`;
  });
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(page.title)}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
${gone === undefined ? "" : `<p class="gone" role="status">${escaped(gone)}</p>`}
<header id="s0" tabindex="-1">
<h1>${escaped(page.title)}</h1>
<p><span class="state ${stateClass(page.state)}">${escaped(page.state)}</span> ${escaped(page.detail)}</p>
${paragraphs(page.doc)}
<div class="bar">${sourceButton(tool, 0)}<button type="button" data-copy="json">Copy as JSON Schema</button></div>
</header>
${tool === undefined ? "" : `${code(tool, ids)}${notes(tool)}`}
<dl>${facts.join("")}</dl>
${types.length === 0 ? "" : `<nav aria-label="Types"><h2>Types</h2><ul>${contents.join("")}</ul></nav>`}
${types.map((section, place) => sectionHtml(section, place + 1, ids)).join("\n")}
</main>
<script nonce="${nonce}">${SCRIPT}</script>
</body>
</html>`;
}

function sectionHtml(section: Section, place: number, ids: ReadonlyMap<string, number>): string {
  return `<section aria-labelledby="h${String(place)}">
<div class="head"><h2 id="s${String(place)}" tabindex="-1"><span id="h${String(place)}">${escaped(section.heading)}</span> <span class="kind">${escaped(section.kind)}</span></h2>${sourceButton(section, place)}</div>
${paragraphs(section.doc)}
${code(section, ids)}
${notes(section)}
</section>`;
}

function sourceButton(section: Section | undefined, place: number): string {
  if (section?.location === undefined) return "";
  const label = escaped(`Go to the declaration of ${section.heading}`);
  return `<button type="button" data-open="${String(place)}" aria-label="${label}">Go to Declaration</button>`;
}

function code(section: Section, ids: ReadonlyMap<string, number>): string {
  const lines = section.lines.map((line) => line.map((piece) => pieceHtml(piece, ids)).join(""));
  return `<pre><code>${lines.join("\n")}</code></pre>`;
}

function pieceHtml(piece: Piece, ids: ReadonlyMap<string, number>): string {
  const place = piece.to === undefined ? undefined : ids.get(piece.to);
  if (place !== undefined) return `<a href="#s${String(place)}">${escaped(piece.text)}</a>`;
  const comment = /^(\s*)(\/\/\/.*)$/s.exec(piece.text);
  if (comment) return `${comment[1]!}<span class="comment">${escaped(comment[2]!)}</span>`;
  return escaped(piece.text);
}

function paragraphs(doc: string | null): string {
  if (doc === null) return "";
  return doc
    .split(/\n\s*\n/)
    .map((text) => `<p class="doc">${escaped(text)}</p>`)
    .join("");
}

function notes(section: Section): string {
  return section.notes.length === 0 ? "" : `<ul class="notes">${section.notes.map((note) => `<li>${escaped(note)}</li>`).join("")}</ul>`;
}

function stateClass(state: string): string {
  if (state === "fits" || state === "offered") return "good";
  return state === "drift" || state === "unbound" ? "odd" : state === "not-checked" || state === "unknown" ? "plain" : "bad";
}

const STYLE = `
body { padding: 0 1.5rem 3rem; line-height: 1.5; color: var(--vscode-foreground); }
main { max-width: 60rem; }
h1 { margin: 1.2rem 0 .3rem; font-size: 1.6rem; font-weight: 600; overflow-wrap: anywhere; }
h2 { margin: 0; font-size: 1.15rem; font-weight: 600; overflow-wrap: anywhere; }
h1:focus, h2:focus, header:focus { outline: none; }
h2:target { box-shadow: -4px 0 var(--vscode-focusBorder); }
a { color: var(--vscode-textLink-foreground); text-decoration: none; }
a:hover { color: var(--vscode-textLink-activeForeground); text-decoration: underline; }
a:focus-visible, button:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
pre { margin: .6rem 0; padding: .7rem 1rem; overflow-x: auto; background: var(--vscode-textCodeBlock-background); border-radius: 4px; tab-size: 4; }
code { font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); color: var(--vscode-editor-foreground); background: none; padding: 0; }
dd code { overflow-wrap: anywhere; }
pre a { text-decoration: underline; text-underline-offset: 3px; text-decoration-thickness: from-font; }
section { margin-top: 1.6rem; padding-top: 1.2rem; border-top: 1px solid var(--vscode-widget-border, var(--vscode-panel-border, transparent)); }
.head { display: flex; gap: 1rem; align-items: baseline; justify-content: space-between; flex-wrap: wrap; }
.bar { display: flex; gap: .5rem; flex-wrap: wrap; }
.kind, .comment { color: var(--vscode-descriptionForeground); }
.kind { font-size: .85rem; font-weight: normal; }
.comment { font-style: italic; }
.doc { white-space: pre-line; margin: .3rem 0; }
.notes { margin: .3rem 0; padding-left: 1.2rem; color: var(--vscode-descriptionForeground); }
.state { display: inline-block; padding: 0 .6em; margin-right: .4em; border: 1px solid; border-radius: 1em; font-size: .9em; }
.good { border-color: var(--vscode-testing-iconPassed); }
.odd { border-color: var(--vscode-editorWarning-foreground); }
.bad { border-color: var(--vscode-errorForeground); }
.plain { border-color: var(--vscode-descriptionForeground); }
.gone { padding: .5rem .8rem; border: 1px solid var(--vscode-inputValidation-warningBorder); background: var(--vscode-inputValidation-warningBackground); color: var(--vscode-inputValidation-warningForeground, inherit); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: .8rem 0; }
dt { color: var(--vscode-descriptionForeground); }
dd { margin: 0; }
nav { margin-top: 1.4rem; }
nav ul { columns: 16rem; margin: .4rem 0; padding-left: 1.2rem; }
button { padding: 3px 10px; font: inherit; border: 1px solid var(--vscode-button-border, transparent); border-radius: 2px; cursor: pointer; color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); }
button:hover { background: var(--vscode-button-secondaryHoverBackground); }
.head button { padding: 1px 8px; font-size: .9em; }
`;

/** Says which button was pressed, by number; follows links to headings; keeps the place when the page is made anew. */
const SCRIPT = `
const host = acquireVsCodeApi();
document.addEventListener("click", (event) => {
  const target = event.target.closest("button, a");
  if (!target) return;
  if (target.dataset.open !== undefined) host.postMessage({ open: Number(target.dataset.open) });
  else if (target.dataset.copy !== undefined) host.postMessage({ copy: true });
  else if (target.tagName === "A") {
    event.preventDefault();
    const heading = document.getElementById(target.getAttribute("href").slice(1));
    if (heading) { heading.scrollIntoView({ block: "start" }); heading.focus({ preventScroll: true }); }
  }
});
const kept = host.getState();
if (kept && Number.isFinite(kept.top)) window.scrollTo(0, kept.top);
window.addEventListener("scroll", () => host.setState({ top: window.scrollY }), { passive: true });
`;
