import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState, type FormEvent } from "react";
import { Button, Form, Link } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { failsPage } from "../api/query-client.ts";
import { daysOf } from "../bots/report-rules.ts";
import { useBootstrap } from "../desk/use-inbox.ts";
import { Failure } from "../kit/failure.tsx";
import { Choice, TextInput } from "../kit/fields.tsx";
import { count } from "../kit/format.ts";
import { Facts, Part } from "../kit/page.tsx";
import { Progress } from "../kit/progress.tsx";
import { DataTable } from "../kit/table.tsx";
import { faultsOf, useCall } from "../kit/use-call.ts";
import { t, type PlainKey } from "../text/t.ts";
import { SettingsPage } from "./settings-page.tsx";
import { TurnsKept } from "./turns-kept.tsx";
import "./ai.css";

type Model = AnswerOf<"readModel">;
type Tested = AnswerOf<"testModel">;
type Protocol = NonNullable<Model["protocol"]>;

/** `/settings/ai`: the language model that writes AI replies, its key, and what it may cost. */
export function AiPage() {
  const model = useQuery({
    queryKey: ["model"],
    queryFn: ({ signal }) => call("readModel", { signal }),
    throwOnError: failsPage,
  });
  return (
    <SettingsPage title={t("ai.title")} lead={t("ai.lead")}>
      {model.data && (
        <>
          <InUse model={model.data} />
          {/* Another model has another form. */}
          <ModelForm key={model.data.updatedAt} model={model.data} />
        </>
      )}
      <Replies />
      <CostByBot />
      <TurnsKept />
    </SettingsPage>
  );
}

function InUse({ model }: { readonly model: Model }) {
  const [tested, setTested] = useState<Tested | null>(null);
  const test = useCall(async () => {
    setTested(null);
    setTested(await call("testModel"));
  });
  return (
    <Part title={t("ai.now")}>
      {model.protocol === null || model.url === null || model.name === null ? (
        <p>{t("ai.none")}</p>
      ) : (
        <>
          {model.emulated && (
            <p className="ai-emulated" role="note">
              {t("ai.emulated")}
            </p>
          )}
          <Facts
            of={[
              [t("ai.protocol"), t(PROTOCOLS[model.protocol])],
              [t("ai.address"), <bdi dir="ltr">{model.url}</bdi>],
              [t("ai.model"), <bdi dir="ltr">{model.name}</bdi>],
            ]}
          />
          <div>
            <Button isPending={test.busy} onPress={() => test.start()}>
              {t("ai.test")}
            </Button>
          </div>
        </>
      )}
      <Failure of={test.failed} />
      {tested?.ok === true && (
        <p role="status" className="ai-answered">
          {t("ai.answered", { ms: tested.ms })}
        </p>
      )}
      {tested?.ok === false && (
        <div role="alert" className="failure">
          <p>{t(OUTCOMES[tested.outcome])}</p>
          {tested.detail !== null && (
            <p className="hint">
              <bdi dir="ltr">{tested.detail}</bdi>
            </p>
          )}
        </div>
      )}
    </Part>
  );
}

const PROTOCOLS = {
  "openai-chat": "ai.protocol.openai",
  "anthropic-messages": "ai.protocol.anthropic",
} as const satisfies Record<Protocol, PlainKey>;

const OUTCOMES = {
  ok: "ai.outcome.ok",
  throttled: "ai.outcome.throttled",
  unreachable: "ai.outcome.unreachable",
  timeout: "ai.outcome.timeout",
  refused: "ai.outcome.refused",
  truncated: "ai.outcome.truncated",
  malformed: "ai.outcome.malformed",
  misconfigured: "ai.outcome.misconfigured",
} as const satisfies Record<Tested["outcome"], PlainKey>;

const MONEY = ["inputPrice", "outputPrice", "costPerDay", "costPerMonth"] as const;

interface Entered extends Record<(typeof MONEY)[number], string> {
  readonly protocol: Protocol;
  readonly url: string;
  readonly name: string;
  readonly key: string;
  readonly secondName: string;
}

const EMPTY: Entered = {
  protocol: "openai-chat",
  url: "",
  name: "",
  key: "",
  secondName: "",
  inputPrice: "",
  outputPrice: "",
  costPerDay: "",
  costPerMonth: "",
};

function enteredOf(model: Model): Entered {
  // The sandbox's own model is not one that somebody set.
  if (!model.hasKey || model.protocol === null) return EMPTY;
  const written = (amount: number | null) => (amount === null ? "" : String(amount));
  return {
    protocol: model.protocol,
    url: model.url ?? "",
    name: model.name ?? "",
    key: "",
    secondName: model.secondName ?? "",
    inputPrice: written(model.inputPrice),
    outputPrice: written(model.outputPrice),
    costPerDay: written(model.costPerDay),
    costPerMonth: written(model.costPerMonth),
  };
}

const amountOf = (text: string): number | null => (text.trim() === "" ? null : Number(text));

/** What is stored. An empty key stays as it is. */
function bodyOf(entered: Entered) {
  const { key, secondName, inputPrice, outputPrice, costPerDay, costPerMonth, ...rest } = entered;
  return {
    ...rest,
    ...(key.trim() !== "" && { key: key.trim() }),
    secondName: secondName.trim() === "" ? null : secondName.trim(),
    inputPrice: amountOf(inputPrice),
    outputPrice: amountOf(outputPrice),
    costPerDay: amountOf(costPerDay),
    costPerMonth: amountOf(costPerMonth),
  };
}

function ModelForm({ model }: { readonly model: Model }) {
  const client = useQueryClient();
  const [given, setGiven] = useState(() => enteredOf(model));
  const [saved, setSaved] = useState(false);
  const set = (part: Partial<Entered>) => {
    setSaved(false);
    setGiven({ ...given, ...part });
  };
  const save = useCall(async () => {
    await call("setModel", { body: bodyOf(given) });
    setSaved(true);
    await client.invalidateQueries({ queryKey: ["model"] });
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.start();
  };
  const faults = faultsOf(save.failed);
  const text = (name: "url" | "name", label: string, hint?: string) => (
    <TextInput
      name={name}
      code
      isRequired
      label={label}
      hint={hint}
      value={given[name]}
      onChange={(value) => set({ [name]: value })}
      maxLength={name === "url" ? 2_048 : 200}
    />
  );
  const money = (name: (typeof MONEY)[number], label: string) => (
    <TextInput
      key={name}
      name={name}
      type="number"
      code
      label={label}
      value={given[name]}
      onChange={(value) => set({ [name]: value })}
    />
  );
  return (
    <Part title={model.hasKey ? t("ai.change") : t("ai.set")}>
      <Failure of={save.failed} />
      <Form
        className="ai-form"
        validationBehavior="aria"
        validationErrors={faults}
        onSubmit={submit}
      >
        <Choice
          label={t("ai.protocol")}
          value={given.protocol}
          options={[
            { value: "openai-chat", name: t("ai.protocol.openai") },
            { value: "anthropic-messages", name: t("ai.protocol.anthropic") },
          ]}
          change={(protocol) => set({ protocol })}
        />
        {text("url", t("ai.address"), t("ai.address.hint"))}
        {text("name", t("ai.model"))}
        <TextInput
          name="key"
          type="password"
          code
          autoComplete="off"
          label={t("ai.key")}
          hint={model.hasKey ? t("ai.key.stored") : t("ai.key.hint")}
          value={given.key}
          onChange={(key) => set({ key })}
          maxLength={500}
        />
        <SecondModel
          value={given.secondName}
          first={given.name}
          change={(secondName) => set({ secondName })}
        />
        <fieldset className="ai-money">
          <legend>{t("ai.money")}</legend>
          <p className="hint">{t("ai.money.hint")}</p>
          {money("inputPrice", t("ai.price.input"))}
          {money("outputPrice", t("ai.price.output"))}
          {money("costPerDay", t("ai.cost.day"))}
          {money("costPerMonth", t("ai.cost.month"))}
        </fieldset>
        <div className="ai-save">
          <Button type="submit" className="primary" isPending={save.busy}>
            {t("ai.save")}
          </Button>
          {saved && (
            <p role="status" className="hint">
              {t("ai.saved")}
            </p>
          )}
        </div>
      </Form>
    </Part>
  );
}

function SecondModel({
  value,
  first,
  change,
}: {
  readonly value: string;
  readonly first: string;
  readonly change: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className="react-aria-TextField">
      <label htmlFor={id}>{t("ai.second")}</label>
      <input
        id={id}
        className="react-aria-Input"
        dir="ltr"
        list={`${id}-known`}
        aria-describedby={`${id}-hint`}
        maxLength={200}
        value={value}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
      <datalist id={`${id}-known`}>{first !== "" && <option value={first} />}</datalist>
      <p id={`${id}-hint`} className="hint">
        {t("ai.second.hint")}
      </p>
    </div>
  );
}

/** How many AI replies the plan allows this month, and how many were written. */
function Replies() {
  const { data } = useQuery({
    queryKey: ["usage"],
    queryFn: ({ signal }) => call("readUsage", { signal }),
    throwOnError: failsPage,
  });
  if (!data) return null;
  const { aiReplies: used } = data.used;
  const { aiReplies: limit } = data.limits;
  return (
    <Part title={t("ai.replies")}>
      <Progress
        label={t("ai.replies.month")}
        done={used}
        of={limit === null ? null : Math.max(limit, 1)}
        text={
          limit === null
            ? t("usage.ofNone", { used: count(used) })
            : t("ai.replies.of", { used: count(used), limit: count(limit) })
        }
        {...(limit === null || used < limit * 0.8
          ? {}
          : { tone: used >= limit ? ("bad" as const) : ("warn" as const) })}
      />
    </Part>
  );
}

/** What bots and members' calls cost this month of UTC, as the caps count. */
function CostByBot() {
  const { bots } = useBootstrap();
  const [asked] = useState(() => daysOf("month", Date.now()));
  const { data } = useQuery({
    queryKey: ["bot-report", asked],
    queryFn: ({ signal }) => call("botReport", { query: asked, signal }),
  });
  if (!data) return null;
  const { members } = data.cost;
  const rows = [
    ...data.cost.bots.map(({ bot, ...cost }) => ({
      id: bot,
      name: bots.find(({ id }) => id === bot)?.name ?? "–",
      ...cost,
    })),
    ...(members.tokens > 0 ? [{ id: "members", name: t("ai.cost.members"), ...members }] : []),
  ];
  return (
    <Part title={t("ai.cost.byBot")}>
      {rows.length === 0 ? (
        <p className="hint">{t("ai.cost.none")}</p>
      ) : (
        <DataTable
          name={t("ai.cost.byBot")}
          rows={rows}
          id={({ id }) => id}
          cards={false}
          columns={[
            { key: "name", name: t("ai.cost.bot"), cell: ({ name }) => <bdi>{name}</bdi> },
            {
              key: "money",
              name: t("report.money"),
              numeric: true,
              cell: ({ money }) => String(Number(money.toFixed(4))),
            },
            {
              key: "tokens",
              name: t("report.tokens"),
              numeric: true,
              cell: ({ tokens }) => count(tokens),
            },
          ]}
        />
      )}
      <p className="hint">
        <Link href="/bots/report">{t("ai.cost.more")}</Link>
      </p>
    </Part>
  );
}
