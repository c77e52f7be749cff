/** VS Code's workbench, as a person sees and uses it. Each wait is for a condition, with a bound. */
import path from "node:path";

import { given, until } from "./machine.mjs";

const TOAST = ".notifications-toasts .notification-list-item";
/** Items of the status bar that are of VS Code in a browser alone. */
const HIDDEN = `.statusbar-item[id*="keyboardlayout" i], .statusbar-item[id*="forwardedports" i] { display: none !important }`;
const plain = (text) => text.replaceAll("\u00a0", " ");

export class Workbench {
  constructor(page, address) {
    this.page = page;
    this.address = address;
  }

  /** Opens the workspace's folder; `trust` says whether its authors are trusted, or undefined where no question is to come. */
  async open({ trust } = {}) {
    await this.page.goto(`${this.address}/?folder=${encodeURIComponent(given.workspace)}`);
    await this.page.locator(".monaco-workbench .explorer-folders-view").waitFor({ timeout: 60_000 });
    if (trust === undefined) return;
    const dialog = this.page.locator(".monaco-dialog-box", { hasText: "Do you trust the authors" });
    await dialog.waitFor();
    await dialog.locator(".monaco-button", { hasText: trust ? "Yes, I trust" : "No, I don't" }).click();
    await dialog.waitFor({ state: "detached" });
  }

  /** Opens a file of the workspace from the explorer. */
  async openFile(name) {
    const entry = this.page.locator(`.explorer-folders-view .monaco-list-row[aria-label^="${name}"]`);
    await entry.first().dblclick();
    await this.activeTab(name);
  }

  async activeTab(name) {
    await this.page.locator(`.editor-group-container.active .tab.active[data-resource-name="${name}"]`).waitFor();
    await this.page.locator(".editor-group-container.active .editor-instance .view-line").first().waitFor();
  }

  /** Puts the cursor of the active editor at a place, counted from 1. */
  async goTo(line, column = 1) {
    await this.page.keyboard.press("Control+G");
    const box = this.page.locator(".quick-input-widget input");
    await box.waitFor();
    await box.fill(`:${line}:${column}`);
    await this.page.keyboard.press("Enter");
    await this.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
    await this.until(`the cursor is in line ${line}`, async () => (await this.cursor()).includes(`Ln ${line}, Col ${column}`));
  }

  /** Where the cursor of the active editor is, as the status bar says it. */
  async cursor() {
    return this.page.locator("#status\\.editor\\.selection").innerText();
  }

  /** Puts the cursor of the active editor before a text of it, which is `text` of the given whole. */
  async goToText(whole, text) {
    const offset = whole.indexOf(text);
    if (offset < 0) throw new Error(`The text has no "${text}".`);
    const before = whole.slice(0, offset).split("\n");
    await this.goTo(before.length, before.at(-1).length + 1);
  }

  /** Writes `written` over `text`, which stands in the active editor after `before`. */
  async overwrite(before, text, written) {
    const whole = await this.shownText();
    const offset = whole.text.indexOf(before + text);
    if (offset < 0) throw new Error(`The editor has no "${before}${text}".`);
    const lines = whole.text.slice(0, offset + before.length).split("\n");
    await this.goTo(whole.first + lines.length - 1, lines.at(-1).length + 1);
    for (const _ of text) await this.page.keyboard.press("Shift+ArrowRight");
    await this.page.keyboard.type(written, { delay: 15 });
    await this.page.keyboard.press("Escape");
    await this.until(`"${before}${written}" stands there`, async () => (await this.text()).includes(before + written));
  }

  /** Runs a command by its name in the palette. */
  async command(title) {
    await this.page.keyboard.press("F1");
    const box = this.page.locator(".quick-input-widget input");
    await box.waitFor();
    await box.fill(`>${title}`);
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().click();
  }

  /** Opens the menu of code actions at the cursor. */
  async actions() {
    const menu = this.page.locator(".action-widget .monaco-list-row");
    await this.until("the menu of code actions opens", async () => {
      await this.page.keyboard.press("Control+.");
      return menu.first().waitFor({ timeout: 3_000 }).then(() => true);
    });
    return menu;
  }

  /** Takes the action of a title from the open menu, by the keyboard: the mouse is kept off it until it moves. */
  async take(title) {
    const row = (more) => this.page.locator(`.action-widget .monaco-list-row${more}`, { hasText: title }).first();
    await row("").waitFor();
    await this.until(`"${title}" is chosen`, async () => {
      if (await row(".focused").count()) return true;
      await this.page.keyboard.press("ArrowDown");
      return false;
    });
    await this.page.keyboard.press("Enter");
    await this.page.locator(".action-widget").waitFor({ state: "hidden" });
  }

  /** Saves the active editor; waits until the tab says so. */
  async save() {
    await this.page.keyboard.press("Control+S");
    await this.page.locator(".editor-group-container.active .tab.active:not(.dirty)").waitFor();
  }

  /** Saves all that is not saved, as after an edit of several files. */
  async saveAll() {
    await this.command("File: Save All");
    await this.until("all is saved", async () => (await this.page.locator(".tab.dirty").count()) === 0);
  }

  /** A notification with a text, as it comes up. */
  async toast(text) {
    const toast = this.page.locator(TOAST, { hasText: text });
    await toast.first().waitFor();
    return toast.first();
  }

  async press(toast, button) {
    await toast.locator(".monaco-button", { hasText: button }).first().click();
  }

  /** The lenses of the editors that are shown. */
  async lenses() {
    return (await this.page.locator(".codelens-decoration").allInnerTexts()).map(plain);
  }

  async waitForLens(text) {
    return this.until(`a lens says "${text}"`, async () => (await this.lenses()).find((lens) => lens.includes(text)));
  }

  /** Presses a lens of the active editor; the lenses of one line stand in one row. */
  async pressLens(text, row = 0) {
    const rows = this.page.locator(".editor-group-container.active .codelens-decoration", { hasText: text });
    await rows.nth(row).locator("a", { hasText: text }).first().click();
  }

  /** What stands in the active editor, of what is on the screen. */
  async text() {
    return (await this.shownText()).text;
  }

  async shownText() {
    const editor = ".editor-group-container.active .editor-instance";
    const read = (selector) => this.page.locator(`${editor} ${selector}`).evaluateAll((all) =>
      all.map((one) => [parseInt(one.style.top || one.parentElement.style.top), one.innerText]).sort((a, b) => a[0] - b[0]));
    const lines = (await read(".view-lines .view-line")).map((one) => one[1]);
    const numbers = (await read(".margin-view-overlays .line-numbers")).map((one) => parseInt(one[1]));
    return { text: plain(lines.join("\n")), first: Math.min(...numbers) };
  }

  /** What the status bar says of problems, such as "No Problems". */
  async problems() {
    return (await this.page.locator("#status\\.problems").getAttribute("aria-label")) ?? "";
  }

  async waitForProblems(expected, milliseconds) {
    const says = async () => (await this.problems()).includes(expected);
    return this.until(`the status bar says "${expected}"`, says, milliseconds);
  }

  /**
   * Moves the mouse over a word of an editor, and gives what the hover says once it says `expected`. Lenses that come
   * move the lines, so the place is looked for again while nothing is shown.
   */
  async hover(word, expected, nth = 0) {
    return this.until(`the hover says "${expected}"`, async () => {
      const place = await this.place(word, nth);
      await this.page.mouse.move(place.x, place.y + 120);
      await this.page.mouse.move(place.x, place.y, { steps: 5 });
      const shown = this.page.locator(".monaco-hover:not(.hidden) .monaco-hover-content", { hasText: expected });
      await shown.first().waitFor({ timeout: 3_000 });
      return plain(await shown.first().innerText());
    });
  }

  /** The middle of a text in the active editor, on the screen. */
  async place(text, nth = 0) {
    return this.until(`"${text}" is on the screen`, () => this.page.evaluate(([text, nth]) => {
      const found = [];
      for (const line of document.querySelectorAll(".editor-group-container.active .view-line")) {
        const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const index = node.data.replaceAll("\u00a0", " ").indexOf(text);
          if (index < 0) continue;
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + text.length);
          const box = range.getBoundingClientRect();
          found.push({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
        }
      }
      return found.sort((a, b) => a.y - b.y)[nth];
    }, [text, nth]));
  }

  until(what, condition, milliseconds) {
    return until(what, condition, milliseconds);
  }

  /** A picture of the whole window for the artefacts. */
  async picture(name) {
    await this.page.screenshot({ path: path.join(given.artefacts, `${name}.png`), animations: "disabled" });
  }

  /** Takes the mouse to where it shows nothing. */
  async restMouse() {
    const { width, height } = this.page.viewportSize();
    await this.page.mouse.move(width * 0.6, height - 60, { steps: 3 });
    await this.page.locator(".workbench-hover-container").waitFor({ state: "detached" });
  }

  /** A picture for the README, where those are made. */
  async pictureOfAll(name) {
    if (!given.pictures) return;
    await this.page.addStyleTag({ content: HIDDEN });
    await this.page.screenshot({ path: path.join(given.pictures, `${name}.png`), animations: "disabled" });
  }

  /** Shows a view container by its icon in the activity bar, unless it is shown. */
  async showView(title) {
    const icon = this.page.locator(`.activitybar .action-item:has(.action-label[aria-label^="${title}"])`).first();
    const shown = async () => (await icon.getAttribute("class")).split(" ").includes("checked");
    if (!(await shown())) await icon.click();
    await this.until(`${title} is shown`, shown);
  }

  /** The rows of a tree in the side bar, as they are read aloud. */
  async rows(view) {
    const rows = this.page.locator(`.pane:has(.pane-header[aria-label^="${view}"]) .monaco-list-row`);
    return rows.evaluateAll((all) => all.map((one) => `${one.getAttribute("aria-label")} | ${one.innerText}`.replaceAll("\n", " ")));
  }

  /** All that can be read in the window, for a failure. */
  async words() {
    return plain(await this.page.locator("body").innerText()).slice(0, 6000);
  }
}
