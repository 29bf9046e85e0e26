/**
 * The part of Preact's interface that this widget uses, in a fifth of its size. The build puts it in Preact's place; the
 * types are Preact's own. Left out: classes, portals, hydration, error boundaries, refs as functions, a context with
 * different values at once. A component that has state renders at least one element.
 */
type Props = Readonly<Record<string, unknown>>;
type Component = (props: Props) => unknown;
type Parent = Element | ShadowRoot;

interface VNode {
  readonly type: string | Component | null;
  readonly key: string | number | undefined;
  props: Props;
  /** Where it stands among its siblings: the position, or the key. */
  slot: string;
  dom: Element | Text | null;
  kids: VNode[];
  readonly hooks: Hook[];
  parent: Parent | null;
  gone: boolean;
}

interface Hook {
  value?: unknown;
  inputs?: readonly unknown[] | undefined;
  /** What an effect left to be done before it runs again or its component goes. */
  cleanUp?: unknown;
}

const SVG = "http://www.w3.org/2000/svg";
const handlers = new WeakMap<EventTarget, Record<string, unknown>>();
const due = new Set<VNode>();
let effects: (() => void)[] = [];
let rendering: VNode | null = null;
let hookIndex = 0;

/** What JSX becomes. */
export function jsx(type: VNode["type"], props: Props, key?: string | number): VNode {
  return {
    type,
    key,
    props,
    slot: "",
    dom: null,
    kids: [],
    hooks: [],
    parent: null,
    gone: false,
  };
}
export { jsx as jsxs };

export const Fragment: Component = ({ children }) => children;

export function render(node: VNode, root: ShadowRoot): void {
  patchKids(root, jsx(null, {}), node, null);
  runEffects();
}

export function createContext<T>(value: T) {
  const context = {
    value,
    Provider(props: { readonly value: T; readonly children: unknown }): unknown {
      context.value = props.value;
      return props.children;
    },
  };
  return context;
}

export function useContext<T>(context: { readonly value: T }): T {
  return context.value;
}

export function useState(initial: unknown): [unknown, (value: unknown) => void] {
  const { hook, node } = nextHook();
  if (!("value" in hook)) hook.value = typeof initial === "function" ? initial() : initial;
  const set = (value: unknown) => {
    if (Object.is(hook.value, value)) return;
    hook.value = value;
    if (due.size === 0) queueMicrotask(renderDue);
    due.add(node);
  };
  return [hook.value, set];
}

export function useRef(initial: unknown): unknown {
  return useMemo(() => ({ current: initial }), []);
}

export function useMemo(work: () => unknown, inputs: readonly unknown[]): unknown {
  const { hook } = nextHook();
  if (changed(hook, inputs)) hook.value = work();
  return hook.value;
}

/** Runs when the page is up to date, before it is painted. */
export function useEffect(work: () => unknown, inputs?: readonly unknown[]): void {
  const { hook } = nextHook();
  if (!changed(hook, inputs)) return;
  effects.push(() => {
    cleanUp(hook);
    hook.cleanUp = work();
  });
}
export { useEffect as useLayoutEffect };

function nextHook(): { hook: Hook; node: VNode } {
  if (!rendering) throw new Error("outside of the chat");
  return { hook: (rendering.hooks[hookIndex++] ??= {}), node: rendering };
}

function changed(hook: Hook, inputs: readonly unknown[] | undefined): boolean {
  const before = hook.inputs;
  hook.inputs = inputs;
  return !before || !inputs || inputs.some((input, index) => !Object.is(input, before[index]));
}

function cleanUp(hook: Hook): void {
  if (typeof hook.cleanUp === "function") hook.cleanUp();
}

function renderDue(): void {
  const nodes = [...due];
  due.clear();
  for (const node of nodes) {
    const end = endOf(node, true);
    if (!node.gone && node.parent && end) renderComponent(node, node.parent, end.nextSibling);
  }
  runEffects();
}

function runEffects(): void {
  const run = effects;
  effects = [];
  for (const effect of run) effect();
}

function renderComponent(node: VNode, parent: Parent, before: Node | null): void {
  if (typeof node.type !== "function") return;
  const outer = [rendering, hookIndex] as const;
  rendering = node;
  hookIndex = 0;
  node.parent = parent;
  const output = node.type(node.props);
  [rendering, hookIndex] = outer;
  patchKids(parent, node, output, before);
}

/** Brings the children of `node` in line with `output`, in front of `before`; from the last to the first. */
function patchKids(parent: Parent, node: VNode, output: unknown, before: Node | null): void {
  const next: VNode[] = [];
  flatten(output, "", next);
  const old = new Map(node.kids.map((kid) => [kid.slot, kid]));
  const matches = next.map((kid) => {
    const match = old.get(kid.slot);
    if (match?.type !== kid.type) return kid;
    old.delete(kid.slot);
    return match;
  });
  for (const kid of old.values()) remove(kid, true);
  for (let index = matches.length - 1; index >= 0; index--) {
    const kid = matches[index];
    const fresh = next[index];
    if (!kid || !fresh) continue;
    patch(parent, kid, fresh.props, before);
    before = endOf(kid, false) ?? before;
  }
  node.kids = matches;
}

function patch(parent: Parent, node: VNode, props: Props, before: Node | null): void {
  const was = node.dom ? node.props : {};
  node.props = props;
  if (typeof node.type === "function") return renderComponent(node, parent, before);
  if (node.type === null) {
    const text = String(props["text"]);
    node.dom ??= document.createTextNode(text);
    if (node.dom.nodeValue !== text) node.dom.nodeValue = text;
  } else {
    const space =
      node.type === "svg" || (parent instanceof Element && parent.namespaceURI === SVG)
        ? SVG
        : "http://www.w3.org/1999/xhtml";
    node.dom ??= document.createElementNS(space, node.type);
    if (node.dom instanceof Element) {
      patchKids(node.dom, node, props["children"], null);
      setProps(node.dom, was, props);
    }
  }
  if (node.dom.parentNode !== parent || node.dom.nextSibling !== before)
    parent.insertBefore(node.dom, before);
}

function setProps(dom: Element, was: Props, props: Props): void {
  for (const name of new Set([...Object.keys(was), ...Object.keys(props)])) {
    const value = props[name];
    if (name === "children") continue;
    if (name === "ref") (value as { current: unknown }).current = dom;
    else if (name === "value") {
      // What the visitor typed is in the element, not in the last props.
      if (Reflect.get(dom, name) !== value) Reflect.set(dom, name, value);
    } else if (name.startsWith("on")) listen(dom, name.slice(2).toLowerCase(), value);
    else if (value !== was[name]) {
      const told = name.includes("-") ? value != null : value != null && value !== false;
      if (told) dom.setAttribute(name, value === true && !name.includes("-") ? "" : String(value));
      else dom.removeAttribute(name);
    }
  }
}

/** One listener per event and element, which calls what the last rendering gave. */
function listen(dom: Element, type: string, handler: unknown): void {
  let mine = handlers.get(dom);
  if (!mine) handlers.set(dom, (mine = {}));
  if (!(type in mine))
    dom.addEventListener(type, (event) => {
      const call = handlers.get(dom)?.[type];
      if (typeof call === "function") call(event);
    });
  mine[type] = handler;
}

function remove(node: VNode, outermost: boolean): void {
  node.gone = true;
  for (const hook of node.hooks) cleanUp(hook);
  if (outermost) node.dom?.remove();
  for (const kid of node.kids) remove(kid, outermost && !node.dom);
}

/** Lists and fragments of children as one row; what renders nothing keeps its place free. */
function flatten(output: unknown, slot: string, into: VNode[]): void {
  if (Array.isArray(output))
    for (const [index, one] of output.entries())
      flatten(
        one,
        `${slot}.${isVNode(one) && one.key !== undefined ? `$${one.key}` : index}`,
        into,
      );
  else if (isVNode(output)) into.push(Object.assign(output, { slot }));
  else if (output != null && typeof output !== "boolean")
    into.push(Object.assign(jsx(null, { text: output }), { slot }));
}

function isVNode(value: unknown): value is VNode {
  return typeof value === "object" && value !== null && "kids" in value;
}

/** What of a node lies first in the document, or last; null when it shows nothing. */
function endOf(node: VNode, last: boolean): Node | null {
  if (node.dom) return node.dom;
  for (const kid of last ? node.kids.toReversed() : node.kids) {
    const found = endOf(kid, last);
    if (found) return found;
  }
  return null;
}
