/** No server is installed: that is said, and one button makes an environment from what is inside the extension. */
import { play } from "./steps.mjs";

await play({}, async (vscode, step) => {
  await step("that there is no server is said", async () => {
    await vscode.open({ trust: true });
    await vscode.openFile("weather.flow");
    const toast = await vscode.toast("flow-lsp, the server, was not found in .venv nor on PATH");
    return toast.innerText();
  });

  await step("one button installs it", async () => {
    const toast = await vscode.toast("was not found");
    await vscode.press(toast, "Install flow-lsp");
    await vscode.waitForProblems("Errors: 2", 150_000);
    return vscode.problems();
  }, 160_000);
});
