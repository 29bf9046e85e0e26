import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { inBrowserOnly, skip, Stand } from "./stand.ts";

/** The widget's own renderer, alone in a real document. */
const FILE = path.join(import.meta.dirname, "../../../../packages/widget/src/ui/runtime.ts");
let stand: Stand;
let page: Page;
before(async () => {
  if (skip !== false) return;
  stand = await Stand.start();
  page = await stand.blank();
  const code = stripTypeScriptTypes(readFileSync(FILE, "utf8"));
  await page.evaluate(`(async () => {
    const blob = new Blob([${JSON.stringify(code)}], { type: "text/javascript" });
    window.runtime = await import(URL.createObjectURL(blob));
    window.mount = (component) => {
      const root = document.createElement("div");
      document.body.replaceChildren(root);
      runtime.render(runtime.jsx(component, {}), root);
      return root;
    };
    window.turn = () => new Promise((resolve) => setTimeout(resolve));
  })()`);
});
after(async () => {
  if (skip === false) await stand.close();
});

test(
  "whatever comes, goes and moves in a list, the order is right and every row stays the element it was",
  inBrowserOnly,
  async () => {
    const faults = await page.evaluate<string[]>(`(async () => {
      const { jsx, useState } = runtime;
      let set, seed = 7;
      const chance = (below) => (seed = (seed * 48271) % 2147483647) % below;
      const Row = ({ name }) => [jsx("i", { children: name }), name % 3 === 0 && jsx("b", { children: name })];
      const root = mount(() => {
        const [list, setList] = useState([1, 2, 3]);
        set = setList;
        return jsx("section", { children: ["first", list.map((name) => jsx(Row, { name }, name)), list.length > 2 && "many", jsx("u", { children: "last" })] });
      });
      const faults = [];
      for (let round = 0; round < 300; round++) {
        const before = new Map([...root.querySelectorAll("i")].map((one) => [one.textContent, one]));
        const pool = Array.from({ length: 9 }, (_, index) => index).sort(() => chance(3) - 1);
        const list = pool.slice(0, chance(10));
        set(list);
        await turn();
        const wanted = "first" + list.map((name) => name % 3 ? String(name) : String(name) + name).join("") + (list.length > 2 ? "many" : "") + "last";
        if (root.textContent !== wanted) faults.push(root.textContent + " is not " + wanted);
        for (const one of root.querySelectorAll("i"))
          if (before.has(one.textContent) && before.get(one.textContent) !== one) faults.push("another element for " + one.textContent);
      }
      return faults.slice(0, 5);
    })()`);
    assert.deepEqual(faults, []);
  },
);

test(
  "state is a component's own, effects run when their inputs change and are undone when it goes",
  inBrowserOnly,
  async () => {
    const told = await page.evaluate<string[]>(`(async () => {
      const { jsx, useState, useEffect, useMemo, useRef } = runtime;
      const told = [];
      let rename, show;
      const Child = ({ name }) => {
        const [count, setCount] = useState(() => 0);
        const box = useRef(null);
        const length = useMemo(() => (told.push("memo " + name), name.length), [name]);
        useEffect(() => { told.push("in " + name + " " + box.current.tagName); return () => told.push("out " + name) }, [name]);
        return jsx("button", { ref: box, "data-on": false, disabled: false, onClick: () => setCount(count + 1), children: name + length + count });
      };
      const root = mount(() => {
        const [name, setName] = useState("a");
        const [shown, setShown] = useState(true);
        rename = setName; show = setShown;
        return shown ? jsx(Child, { name }) : null;
      });
      const button = root.firstChild;
      const note = () => told.push(root.innerHTML);
      note();
      button.click(); await turn(); button.click(); await turn(); note();
      rename("bc"); await turn(); note();
      show(false); await turn(); note();
      return told;
    })()`);
    assert.deepEqual(told, [
      "memo a",
      "in a BUTTON",
      '<button data-on="false">a10</button>',
      '<button data-on="false">a12</button>',
      "memo bc",
      "out a",
      "in bc BUTTON",
      '<button data-on="false">bc22</button>',
      "out bc",
      "",
    ]);
  },
);
