import { render } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Chat } from "../chat.ts";
import type { State, Store } from "../state.ts";
import { Language } from "../texts/texts.ts";
import { SurfaceContext } from "./context.ts";
import { ChatIcon, DownIcon } from "./icons.tsx";
import { Panel } from "./panel.tsx";

interface Props {
  readonly chat: Chat;
  readonly store: Store;
  readonly origin: string;
}

export function mount(root: ShadowRoot, props: Props): void {
  render(<App {...props} />, root);
}

const TICK_MS = 30_000;

function App({ chat, store, origin }: Props) {
  const [state, setState] = useState<State>(store.state);
  const [now, setNow] = useState(() => new Date());
  const launcher = useRef<HTMLButtonElement>(null);
  const opened = useRef(state.open);
  useEffect(() => store.subscribe((next) => (setState(next), setNow(new Date()))), [store]);
  useEffect(() => {
    if (!state.open) return;
    const timer = setInterval(() => setNow(new Date()), TICK_MS);
    return () => clearInterval(timer);
  }, [state.open]);
  const language = useMemo(() => new Language(state.locale), [state.locale]);
  const goOn = useRef(() => {});
  const surface = useMemo(
    () => ({ chat, language, origin, now, goOn }),
    [chat, language, origin, now, goOn],
  );
  if (state.open) opened.current = true;
  const { unread, open } = state;
  const close = () => {
    chat.setOpen(false);
    // On a phone the launcher is only there again when the panel is gone.
    requestAnimationFrame(() => launcher.current?.focus());
  };
  return (
    <SurfaceContext.Provider value={surface}>
      <div class="parley" dir={language.direction} lang={language.locale} data-open={open}>
        {opened.current && <Panel state={state} close={close} />}
        <button
          ref={launcher}
          class="launcher"
          type="button"
          aria-expanded={open}
          aria-label={
            unread > 0 && !open
              ? language.say("openUnread", { unread: language.count("unread", unread) })
              : language.say(open ? "close" : "open")
          }
          onClick={() => (open ? close() : chat.setOpen(true))}
        >
          {open ? <DownIcon /> : <ChatIcon />}
          {unread > 0 && !open && (
            <span class="badge" aria-hidden="true">
              {unread > 99 ? "99+" : language.number(unread)}
            </span>
          )}
        </button>
        <div class="hidden" role="status">
          {unread > 0 && !open ? language.count("unread", unread) : ""}
        </div>
      </div>
    </SurfaceContext.Provider>
  );
}
