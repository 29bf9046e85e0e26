import { Link } from "react-aria-components";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState, type FormEvent } from "react";
import type {
  PhoneList,
  PhoneScreen,
} from "../../../server/src/http/dashboard/contract/sandbox.ts";
import type { Trouble } from "../../../server/src/wire/words.ts";
import { ApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { bootstrapQuery } from "../api/query-client.ts";
import { useMay } from "../kit/use-may.ts";
import { phonesQuery } from "./phones-query.ts";
import { dateLocale } from "../text/locale.ts";
import { Icon } from "../kit/icon.tsx";
import { Choice } from "../kit/fields.tsx";
import { t } from "../text/t.ts";
import "./sandbox.css";

type Phone = PhoneList["phones"][number];

/** How often a visible phone asks for news. */
const LOOK_MS = 1_000;

/** Which channel is played, and who writes on it; the phone chooses what is left out. */
export interface Playing {
  readonly channelId?: string | undefined;
  readonly customer?: string;
  /** What the customer is called; left out: nobody knows. */
  readonly name?: string;
}

/** Plays a customer of a sandbox channel; admins can also set faults. */
export function SandboxPhone({
  playing,
  play,
}: {
  readonly playing: Playing;
  readonly play: (playing: Playing) => void;
}) {
  const list = useQuery(phonesQuery);
  if (!list.data) return list.error ? <Failure error={list.error} /> : null;
  const { phones } = list.data;
  const phone = phones.find(({ id }) => id === playing.channelId) ?? phones[0];
  const customer = playing.customer ?? phone?.customer ?? "";
  return (
    <div className="phone">
      {phone ? (
        <>
          <ChannelChoice
            phones={phones}
            phone={phone}
            onChoose={(channelId) => play({ channelId })}
          />
          <OnePhone
            key={phone.id}
            phone={phone}
            customer={customer}
            name={playing.name ?? ""}
            play={(who) => play({ channelId: phone.id, ...who })}
          />
        </>
      ) : (
        <NoPhone />
      )}
    </div>
  );
}

function ChannelChoice({
  phones,
  phone,
  onChoose,
}: {
  readonly phones: readonly Phone[];
  readonly phone: Phone;
  readonly onChoose: (id: string) => void;
}) {
  return (
    <Choice
      label={t("sandbox.channel")}
      options={phones.map(({ id, name }) => ({ value: id, name }))}
      value={phone.id}
      change={onChoose}
    />
  );
}

function OnePhone({
  phone,
  customer,
  name,
  play,
}: {
  readonly phone: Phone;
  readonly customer: string;
  readonly name: string;
  readonly play: (who: { readonly customer: string; readonly name: string }) => void;
}) {
  const [words, setWords] = useState("");
  const wordsId = useId();
  const named = name.trim() === "" ? {} : { name: name.trim() };
  const client = useQueryClient();
  const screenKey = ["phone", phone.id, customer];
  const screen = useQuery({
    queryKey: screenKey,
    queryFn: ({ signal }) =>
      call("readPhone", { params: { id: phone.id }, query: { customer }, signal }),
    enabled: customer !== "",
    refetchInterval: LOOK_MS,
    staleTime: 0,
    retry: false,
  });
  const look = () => client.invalidateQueries({ queryKey: screenKey });
  const send = useMutation({
    mutationFn: (what: Phone["sends"][number]) =>
      call("sendOnPhone", { params: { id: phone.id }, body: { customer, ...named, what } }),
    onSettled: look,
  });
  const press = useMutation({
    mutationFn: (body: { readonly messageId: string; readonly button: string }) =>
      call("pressOnPhone", { params: { id: phone.id }, body: { customer, ...body } }),
    onSettled: look,
  });
  const say = useMutation({
    mutationFn: (text: string) =>
      call("sayOnPhone", { params: { id: phone.id }, body: { customer, ...named, text } }),
    onSettled: look,
    onError: (_error, text) => setWords((now) => (now === "" ? text : now)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (words.trim() === "" || customer === "" || say.isPending) return;
    say.mutate(words);
    setWords("");
  };
  const failure = say.error ?? send.error ?? press.error;
  return (
    <>
      <Person customer={customer} name={name} play={play} />
      <Log screen={screen.data} press={(body) => press.mutate(body)} />
      {phone.sends.length > 0 && (
        <div role="group" aria-label={t("sandbox.send")} className="phone-sends">
          {phone.sends.map((what) => (
            <button
              key={what}
              type="button"
              className="button"
              disabled={customer === "" || send.isPending}
              onClick={() => send.mutate(what)}
            >
              <Icon name={SEND_ICONS[what]} />
              {t(`sandbox.send.${what}`)}
            </button>
          ))}
        </div>
      )}
      <form className="phone-say" onSubmit={submit}>
        <label htmlFor={wordsId}>{t("sandbox.say")}</label>
        <input
          id={wordsId}
          dir="auto"
          maxLength={4096}
          autoComplete="off"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <button type="submit" className="primary">
          {t("sandbox.sayIt")}
        </button>
      </form>
      {failure && <Failure error={failure} />}
      {say.data?.conversationId && (
        <Link className="phone-open" href={`/inbox/all/${say.data.conversationId}`}>
          {t("sandbox.open")}
        </Link>
      )}
      <Faults phone={phone} waiting={screen.data?.faults ?? 0} />
    </>
  );
}

/** Who writes: an address of the channel, and a name. */
function Person({
  customer,
  name,
  play,
}: {
  readonly customer: string;
  readonly name: string;
  readonly play: (who: { readonly customer: string; readonly name: string }) => void;
}) {
  const ids = { customer: useId(), name: useId() };
  return (
    <div className="phone-person">
      <div className="phone-field">
        <label htmlFor={ids.customer}>{t("sandbox.customer")}</label>
        <input
          id={ids.customer}
          dir="ltr"
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          placeholder={t("sandbox.customer.hint")}
          value={customer}
          // Another address is another person.
          onChange={(event) => play({ customer: event.target.value.trim(), name: "" })}
        />
      </div>
      <div className="phone-field">
        <label htmlFor={ids.name}>{t("sandbox.name")}</label>
        <input
          id={ids.name}
          dir="auto"
          maxLength={200}
          autoComplete="off"
          placeholder={t("sandbox.name.hint")}
          value={name}
          onChange={(event) => play({ customer, name: event.target.value })}
        />
      </div>
    </div>
  );
}

const clock = new Intl.DateTimeFormat(dateLocale, {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** The phone's messages. It stays at the newest one. */
function Log({
  screen,
  press,
}: {
  readonly screen: PhoneScreen | undefined;
  readonly press: (of: { readonly messageId: string; readonly button: string }) => void;
}) {
  const messages = screen?.messages ?? [];
  const last = messages.at(-1)?.id;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const log = end.current;
    if (log && last !== undefined) log.scrollTop = log.scrollHeight;
  }, [last]);
  return (
    <div ref={end} role="log" aria-label={t("sandbox.log")} tabIndex={0} className="phone-log">
      {screen && messages.length === 0 && <p className="phone-empty">{t("sandbox.log.empty")}</p>}
      {messages.map((message) => {
        const time = clock.format(new Date(message.at));
        const theirs = message.by === "customer";
        return (
          <article
            key={message.id}
            className={theirs ? "phone-bubble phone-bubble-own" : "phone-bubble"}
            aria-label={theirs ? t("sandbox.you", { time }) : t("sandbox.business", { time })}
          >
            <p dir="auto">{message.text ?? fileWord(message.type)}</p>
            {message.buttons.map((button) => (
              <button
                key={button}
                type="button"
                className="phone-press"
                onClick={() => press({ messageId: message.id, button })}
              >
                <bdi>{button}</bdi>
              </button>
            ))}
            <span className="phone-meta">
              {time}
              {message.tick && ` · ${t(TICKS[message.tick])}`}
            </span>
          </article>
        );
      })}
      {screen?.typing && <p className="phone-meta">{t("sandbox.typing")}</p>}
    </div>
  );
}

const SEND_ICONS = { photo: "image", voice: "mic", location: "map-pin" } as const;

/** A message without words, by its kind: `image`, or the media type of what the customer sent. */
function fileWord(type: string): string {
  const [kind] = type.split("/");
  if (kind === "image" || kind === "photo") return t("sandbox.send.photo");
  if (kind === "audio" || kind === "voice") return t("sandbox.send.voice");
  if (kind === "location") return t("sandbox.send.location");
  return t("sandbox.file", { type });
}

const TICKS = { delivered: "sandbox.tick.delivered", read: "sandbox.tick.read" } as const;

/** For admins: the fault of the next reply. */
function Faults({ phone, waiting }: { readonly phone: Phone; readonly waiting: number }) {
  const may = useMay("setPhoneFault");
  const [kind, setKind] = useState<Trouble | undefined>(phone.faults[0]);
  const client = useQueryClient();
  const params = { id: phone.id };
  const done = { onSettled: () => client.invalidateQueries({ queryKey: ["phone", phone.id] }) };
  const set = useMutation({
    mutationFn: (fault: Trouble) => call("setPhoneFault", { params, body: { kind: fault } }),
    ...done,
  });
  const clear = useMutation({ mutationFn: () => call("clearPhoneFaults", { params }), ...done });
  if (!may) return null;
  const error = set.error ?? clear.error;
  return (
    <div className="phone-faults">
      {kind && (
        <Choice
          label={t("sandbox.fault")}
          options={phone.faults.map((fault) => ({
            value: fault,
            name: t(`sandbox.fault.${fault}`),
          }))}
          value={kind}
          change={setKind}
        />
      )}
      <button type="button" className="button" onClick={() => kind && set.mutate(kind)}>
        {t("sandbox.fault.set")}
      </button>
      <button type="button" className="button" onClick={() => clear.mutate()}>
        {t("sandbox.fault.clear")}
      </button>
      <p role="status">{t("sandbox.fault.waiting", { count: waiting })}</p>
      {error && <Failure error={error} />}
    </div>
  );
}

/** A workspace without a sandbox channel: admins add one here. */
function NoPhone() {
  const mayAdd = useMay("addSandboxChannel");
  const client = useQueryClient();
  const add = useMutation({
    mutationFn: () => call("addSandboxChannel", { body: { type: "WHATSAPP" } }),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: ["phones"] });
      await client.invalidateQueries({ queryKey: bootstrapQuery.queryKey });
    },
  });
  return (
    <section className="phone-none">
      <h2>{t("sandbox.none")}</h2>
      <p>{t("sandbox.none.text")}</p>
      {!mayAdd ? (
        <p>{t("sandbox.none.agent")}</p>
      ) : (
        <button
          type="button"
          className="primary"
          disabled={add.isPending}
          onClick={() => add.mutate()}
        >
          {t("sandbox.add")}
        </button>
      )}
      {add.error && <Failure error={add.error} />}
    </section>
  );
}

function Failure({ error }: { readonly error: Error }) {
  return (
    <p role="alert" className="phone-failure">
      {t(failureKey(error))}
    </p>
  );
}

function failureKey(error: Error) {
  if (!(error instanceof ApiError)) return "kit.error.internal";
  if (error.passing) return "sandbox.starting";
  if (error.status === 402) return "sandbox.full";
  return error.status === 403 ? "kit.error.forbidden" : "sandbox.failed";
}
