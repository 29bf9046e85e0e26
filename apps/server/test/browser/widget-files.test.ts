import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { comesTo, inside, open, seen } from "./hands.ts";
import { inBrowserOnly, skip, Stand } from "./stand.ts";

let stand: Stand;
before(async () => {
  if (skip === false) stand = await Stand.start();
});
after(async () => {
  if (skip === false) await stand.close();
});

const picture = readFileSync(path.join(import.meta.dirname, "../../../../docs/start-page.png"));
const png = (name: string) => ({ name, mimeType: "image/png", buffer: picture });
/** A file of the page's own making, handed over by an event that carries files. */
const handOver = (event: "drop" | "paste", name: string, bytes: string) => `(() => {
  const data = new DataTransfer();
  const bytes = Uint8Array.from(atob("${bytes}"), (char) => char.charCodeAt(0));
  data.items.add(new File([bytes], "${name}", { type: "image/png" }));
  const root = [...document.querySelectorAll("div")].find((one) => one.shadowRoot).shadowRoot;
  ${
    event === "drop"
      ? `for (const type of ["dragover", "drop"]) root.querySelector(".log").dispatchEvent(
           new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true, composed: true }))`
      : `root.querySelector("textarea").dispatchEvent(
           new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true, composed: true }))`
  } })()`;

test(
  "files come by button, paste and drop, are shown as pictures, and those not wanted are named",
  inBrowserOnly,
  async () => {
    const shop = await stand.shop({ maxFileBytes: "200000" });
    const { page, complaints } = await stand.visit(shop);
    await open(page);
    await page.getByRole("textbox").waitFor();
    await page.getByText("Hello! How can we help?").waitFor();
    await page
      .locator("input[type=file]")
      .setInputFiles([
        png("lamp.png"),
        { name: "huge.png", mimeType: "image/png", buffer: Buffer.alloc(200_001) },
        { name: "tool.exe", mimeType: "application/x-msdownload", buffer: Buffer.from("MZ") },
        { name: "nothing.png", mimeType: "image/png", buffer: Buffer.alloc(0) },
      ]);
    const alert = page.getByRole("alert");
    await alert.getByText("huge.png is too large. The limit is 195 kB.").waitFor();
    await alert.getByText("tool.exe cannot be sent: this type of file is not accepted.").waitFor();
    await alert.getByText("nothing.png is empty.").waitFor();
    await page.evaluate(handOver("paste", "pasted.png", picture.toString("base64")));
    await page.evaluate(handOver("drop", "dropped.png", picture.toString("base64")));
    await page.getByRole("button", { name: "Remove dropped.png" }).waitFor();
    await comesTo(3, () => page.locator(".draft").count());
    await page.getByRole("button", { name: "Remove pasted.png" }).click();
    await page.getByRole("textbox").fill("Is this lamp still sold?");
    // Sending may be asked for while the files are on their way: it goes when they are up.
    await page.getByRole("button", { name: "Send" }).click();
    await seen(page, "Is this lamp still sold?");
    await page.locator('.entry.mine[data-status="sent"]').waitFor();
    for (const name of ["lamp.png", "dropped.png"]) {
      const image = page.getByRole("img", { name: `Picture: ${name}` });
      await image.waitFor();
      await page.waitForFunction(
        (element) => Reflect.get(Object(element), "naturalWidth") > 0,
        await image.elementHandle(),
      );
    }
    assert.equal(await page.getByRole("img").count(), 2);
    assert.equal(await page.locator(".draft").count(), 0);
    assert.deepEqual(complaints, []);
    const [message, ...more] = await stand.stored(shop);
    assert.deepEqual([message?.text, more], ["Is this lamp still sold?", []]);
    await page.context().close();
  },
);

test(
  "an upload that fails can be tried again; what fails is not sent without it",
  inBrowserOnly,
  async () => {
    const shop = await stand.shop();
    const { page } = await stand.visit(shop);
    await open(page);
    await page.getByText("Hello! How can we help?").waitFor();
    await page.route("**/files?*", (route) => route.abort());
    await page.locator("input[type=file]").setInputFiles([png("lamp.png")]);
    await page.getByText("Not uploaded.").waitFor();
    const send = page.getByRole("button", { name: "Send" });
    assert.equal(await send.getAttribute("aria-disabled"), "true");
    await page.getByRole("textbox").press("Enter");
    assert.deepEqual(await stand.stored(shop), []);
    await page.unroute("**/files?*");
    const upload = Promise.withResolvers<void>();
    await page.route("**/files?*", async (route) => {
      await upload.promise;
      await route.continue();
    });
    await page.getByRole("button", { name: "Try again" }).click();
    // Sent while nobody looks: the box in which it was written is as high as before.
    const height = () => inside<number>(page, 'root.querySelector("textarea").offsetHeight');
    const lineHeight = await height();
    await page.getByRole("textbox").fill("this lamp");
    await page.getByRole("textbox").press("Enter");
    await page.keyboard.press("Escape");
    upload.resolve();
    await page.locator('.entry.mine[data-status="sent"]').waitFor({ state: "attached" });
    await open(page);
    await page.getByRole("img", { name: "Picture: lamp.png" }).waitFor();
    await comesTo(lineHeight, height);
    await page.context().close();
  },
);
