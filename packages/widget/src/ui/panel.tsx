import { useEffect, useRef, useState } from "preact/hooks";
import type { ChatSettings } from "../protocol.ts";
import type { Connection, State } from "../state.ts";
import { Uploads, type Draft, type Refusal } from "../uploads.ts";
import { Ask } from "./ask.tsx";
import { Composer } from "./composer.tsx";
import { useSurface } from "./context.ts";
import { ChatIcon, CloseIcon } from "./icons.tsx";
import { Log } from "./log.tsx";

/** The dialog. Not modal where the page can be seen beside it; on a phone it is the whole screen and keeps the focus. */
export function Panel({ state, close }: { state: State; close: () => void }) {
  const { chat, language, goOn } = useSurface();
  const panel = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const [drafts, setDrafts] = useState<readonly Draft[]>([]);
  const [refusals, setRefusals] = useState<readonly Refusal[]>([]);
  const [over, setOver] = useState(false);
  const [uploads] = useState(() => new Uploads(chat, setDrafts));
  const phone = usePhone();
  goOn.current = () => {
    // On a touch screen the keyboard would jump up over the messages.
    if (matchMedia("(pointer: coarse)").matches) panel.current?.focus();
    else (panel.current?.querySelector<HTMLElement>(".ask input") ?? input.current)?.focus();
  };
  const { open, settings, writer } = state;
  const first = useRef(true);
  useEffect(() => {
    uploads.clear();
    setRefusals([]);
  }, [writer]);
  useEffect(() => {
    if (!open) return;
    // Opened by the page itself as it loads (it was open before): the focus stays where the reader is.
    const byPage = first.current && chat.reopened;
    first.current = false;
    if (byPage) return;
    goOn.current();
  }, [open, chat]);
  useKeyboardRoom(panel, open && phone);

  const add = (files: readonly File[]) => {
    if (files.length > 0) setRefusals(uploads.add(files, settings));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && !event.isComposing) {
      event.stopPropagation();
      close();
    } else if (event.key === "Tab" && phone) keepInside(event, panel.current);
  };
  const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  const { asks } = state;
  const written = state.messages.length + state.pending.length > 0;
  // What was written before the owner began to ask is not shut off.
  const before = settings.askWhen === "before" && !written;
  const asking =
    asks.length > 0 && (before || state.messages.some(({ from }) => from === "visitor"));
  // Empty until the server has said it, the first time, and where the owner gave none.
  const { name } = settings;
  return (
    <div
      ref={panel}
      class="panel"
      role="dialog"
      aria-modal={phone}
      aria-label={name ? language.say("dialog", { name }) : language.say("chat")}
      tabIndex={-1}
      hidden={!open}
      onKeyDown={onKeyDown}
      onDragOver={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={({ relatedTarget: to }) => {
        if (!(to instanceof Node && panel.current?.contains(to))) setOver(false);
      }}
      onDrop={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        setOver(false);
        add([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <Head settings={settings} close={close} />
      <Notice connection={state.connection} />
      <Log state={state} />
      {asking && <Ask asks={asks} before={before} />}
      <Composer
        hidden={asking && before}
        open={open}
        writer={writer}
        input={input}
        uploads={uploads}
        drafts={drafts}
        refusals={refusals}
        settings={settings}
        add={add}
        clearRefusals={() => setRefusals([])}
      />
      {over && <div class="drop">{language.say("drop")}</div>}
    </div>
  );
}

/** Who answers here, and the way out. */
function Head({ settings, close }: { settings: ChatSettings; close: () => void }) {
  const { language } = useSurface();
  const { logo, name } = settings;
  return (
    <header class="head">
      <span class="face" aria-hidden="true">
        {logo ? (
          <img src={logo} alt="" />
        ) : name ? (
          Array.from(name)[0]?.toLocaleUpperCase(language.locale)
        ) : (
          <ChatIcon />
        )}
      </span>
      <h2 class="name">
        <bdi>{name || language.say("chat")}</bdi>
      </h2>
      <button class="plain" type="button" aria-label={language.say("close")} onClick={close}>
        <CloseIcon />
      </button>
    </header>
  );
}

const PATIENCE_MS = 1_500;

/** A word about the connection, only when it stays away: a renewed stream is not mentioned. */
function Notice({ connection }: { connection: Connection }) {
  const { language } = useSurface();
  const [shown, setShown] = useState<Connection>("online");
  useEffect(() => {
    // "Connecting" after a loss is still the loss.
    if (connection === "connecting" && shown !== "online") return;
    const calm = connection === "online" || connection === "idle";
    const timer = setTimeout(() => setShown(connection), calm ? 0 : PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [connection]);
  const text = shown === "online" || shown === "idle" ? "" : language.say(shown);
  return (
    <div class="notice" role="status" data-shown={text !== ""}>
      {text}
    </div>
  );
}

function usePhone(): boolean {
  const [phone, setPhone] = useState(() => matchMedia(PHONE).matches);
  useEffect(() => {
    const query = matchMedia(PHONE);
    const look = () => setPhone(query.matches);
    query.addEventListener("change", look);
    return () => query.removeEventListener("change", look);
  }, []);
  return phone;
}

const PHONE = "(max-width: 480px)";

/** On a phone the panel is as high as what the keyboard leaves, not as the page: the composer stays in sight. */
function useKeyboardRoom(panel: { current: HTMLElement | null }, active: boolean): void {
  useEffect(() => {
    const view = window.visualViewport;
    const style = panel.current?.style;
    if (!active || !view || !style) return;
    const fit = () => {
      style.setProperty("--room", `${view.height}px`);
      style.setProperty("--above", `${view.offsetTop}px`);
    };
    fit();
    view.addEventListener("resize", fit);
    view.addEventListener("scroll", fit);
    return () => {
      view.removeEventListener("resize", fit);
      view.removeEventListener("scroll", fit);
    };
  }, [active, panel]);
}

/** Tab goes round inside the dialog. */
function keepInside(event: KeyboardEvent, panel: HTMLElement | null): void {
  const stops = panel?.querySelectorAll<HTMLElement>(
    "button:not([disabled]), a[href], input:not([tabindex]), textarea, [tabindex='0']",
  );
  const first = stops?.[0];
  const last = stops?.[stops.length - 1];
  const root = panel?.getRootNode();
  const focused = root instanceof ShadowRoot ? root.activeElement : null;
  if (event.shiftKey ? focused === first || focused === panel : focused === last) {
    event.preventDefault();
    (event.shiftKey ? last : first)?.focus();
  }
}
