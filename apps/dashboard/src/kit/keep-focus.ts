/** All pages but the inbox, whose keys work without a focus. */
const PAGES = "main.page, main.entry, main.state-page";
const DIALOGS = "[role=dialog], [role=alertdialog]";

/** Where Tab stops. */
const STOPS =
  "a[href], button, input, select, textarea, summary, iframe, [tabindex]:not([tabindex='-1'])";

/** What had the focus last in the window, or in a dialog over it. */
interface Trail {
  /** The child of the body that holds it. */
  readonly layer: Element;
  readonly element: HTMLElement;
  /** The way up from it: each parent, and the place below it. */
  readonly steps: readonly { readonly parent: Element; readonly index: number }[];
}

/**
 * Gives the focus a new place when what had it is gone: the button of a deleted row, a form after it was sent, the
 * whole page after a link. The browser leaves it on nothing, which for somebody without a mouse is the top of the
 * window. Only after a key: a pointer has its own place, and a phone would show its keyboard.
 */
export function keepFocus(): void {
  // Those of the dialogs follow those that they are over.
  let trails: readonly Trail[] = [];
  /** The last key; empty after a pointer. */
  let key = "";
  let asked = false;
  const mend = (): void => {
    asked = false;
    if (key === "" || document.activeElement !== document.body) return;
    // It is in the browser's own bar.
    if (!document.hasFocus()) return;
    trails = trails.filter(({ layer }) => layer.isConnected);
    const last = trails.at(-1);
    // Only hidden for a moment, unless Tab has left the page.
    if (last?.element.closest(`${PAGES}, ${DIALOGS}`) && canFocus(last.element)) {
      if (key !== "Tab") last.element.focus();
    } else nearest(last)?.focus();
  };
  const look = (): void => {
    if (asked || document.activeElement !== document.body) return;
    asked = true;
    // A dialog that closes gives the focus back in the next frame.
    requestAnimationFrame(() => setTimeout(mend));
  };
  document.addEventListener("keydown", (event) => (key = event.key), true);
  document.addEventListener("pointerdown", () => (key = ""), true);
  document.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    const trail = trailOf(target);
    trails = [...trails.filter(({ layer }) => layer.isConnected && layer !== trail.layer), trail];
  });
  document.addEventListener("focusout", () => setTimeout(look));
  new MutationObserver(look).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["disabled"],
  });
}

function trailOf(element: HTMLElement): Trail {
  const steps = [];
  let layer: Element = element;
  for (let { parentElement } = element; parentElement; parentElement = layer.parentElement) {
    if (parentElement === document.body) break;
    steps.push({ parent: parentElement, index: [...parentElement.children].indexOf(layer) });
    layer = parentElement;
  }
  return { layer, element, steps };
}

/** The control that now stands where the last one was, or the nearest one; for a page that is gone, the new page. */
function nearest(trail: Trail | undefined): HTMLElement | null {
  for (const { parent, index } of trail?.steps ?? []) {
    if (!parent.isConnected) continue;
    if (!parent.closest(`${PAGES}, ${DIALOGS}`)) break;
    const children = [...parent.children];
    for (const one of [...children.slice(index), ...children.slice(0, index).toReversed()]) {
      const stops = one.matches(STOPS) ? [one] : one.querySelectorAll(STOPS);
      for (const stop of stops) if (stop instanceof HTMLElement && canFocus(stop)) return stop;
    }
  }
  const page = document.querySelector(PAGES);
  if (!(page instanceof HTMLElement)) return null;
  page.tabIndex = -1;
  return page;
}

const canFocus = (element: Element): boolean =>
  element.isConnected && element.checkVisibility() && !element.matches(":disabled");
