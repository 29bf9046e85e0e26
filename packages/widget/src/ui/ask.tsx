import { useRef, useState } from "preact/hooks";
import type { Question } from "../protocol.ts";
import { useSurface } from "./context.ts";
import { Word } from "./word.tsx";

const INPUTS = {
  name: { type: "text", dir: "auto" },
  email: { type: "email", dir: "ltr" },
} as const;
/** As the server takes a name and an address. */
const LONGEST = 200;

interface Props {
  readonly asks: readonly Question[];
  /** Before the first message it must be answered; after it the visitor may leave it. */
  readonly before: boolean;
}

/** Asks who the visitor is, where the owner of the site wants it. */
export function Ask({ asks, before }: Props) {
  const { chat, language, goOn } = useSurface();
  const form = useRef<HTMLFormElement>(null);
  const [said, setSaid] = useState<Readonly<Partial<Record<Question, string>>>>({});
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<"missing" | "badEmail" | "notSaved" | null>(null);
  const focus = (index: number) => form.current?.querySelectorAll("input")[index]?.focus();
  const send = async () => {
    if (busy) return;
    const given = asks.map((field) => (said[field] ?? "").trim());
    const empty = given.indexOf("");
    if (empty >= 0) {
      setFault("missing");
      return focus(empty);
    }
    setBusy(true);
    const result = await chat.introduce(said);
    setBusy(false);
    // When it is stored this form is removed.
    if (result === "stored") return goOn.current();
    setFault(result);
    focus(asks.indexOf("email"));
  };
  return (
    <form
      ref={form}
      class="ask"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <p>{language.say(before ? "askBefore" : "askAfter")}</p>
      {asks.map((field) => (
        <label key={field}>
          <span>{language.say(field === "name" ? "yourName" : "yourEmail")}</span>
          <input
            class="field"
            {...INPUTS[field]}
            autocomplete={field}
            maxLength={LONGEST}
            aria-invalid={fault === "badEmail" && field === "email"}
            value={said[field] ?? ""}
            onInput={(event) => {
              setFault(null);
              setSaid({ ...said, [field]: event.currentTarget.value });
            }}
          />
        </label>
      ))}
      <div class="faults" role="alert">
        {fault !== null && <p>{language.say(fault)}</p>}
      </div>
      <div class="choices">
        {!before && <Word say="notNow" act={() => chat.notNow()} />}
        <button class="go" type="submit" data-busy={busy}>
          {language.say(before ? "startChat" : "send")}
        </button>
      </div>
    </form>
  );
}
