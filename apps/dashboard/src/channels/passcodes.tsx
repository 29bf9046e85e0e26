import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { Button, Form } from "react-aria-components";
import type { ApiError } from "../api/api-error.ts";
import { call, type AnswerOf } from "../api/call.ts";
import { useBootstrap } from "../desk/use-inbox.ts";
import { Badge, type Tone } from "../kit/badge.tsx";
import { EmptyState } from "../kit/empty.tsx";
import { Failure } from "../kit/failure.tsx";
import { TextInput } from "../kit/fields.tsx";
import { count, momentOf } from "../kit/format.ts";
import { Page, Part } from "../kit/page.tsx";
import { Pager } from "../kit/pager.tsx";
import { Phone } from "../kit/phone.tsx";
import { DataTable, Nothing } from "../kit/table.tsx";
import { useCall } from "../kit/use-call.ts";
import { t, type PlainKey } from "../text/t.ts";
import { PlatformWords } from "./problems.tsx";
import { smsErrorText } from "./sms-texts.ts";
import { useFaults } from "./use-faults.ts";
import "./channels.css";

type Passcode = AnswerOf<"listPasscodes">["items"][number];

const STATES = {
  calling: ["sms.passcodes.calling", "info"],
  sent: ["sms.passcodes.state.sent", "info"],
  delivered: ["sms.passcodes.state.delivered", "ok"],
  failed: ["sms.passcodes.state.failed", "bad"],
  unknown: ["sms.passcodes.state.unknown", "warn"],
} as const satisfies Record<Passcode["status"], readonly [PlainKey, Tone]>;

/** `/settings/sms/passcodes`: sends one passcode, and lists all of them without their texts. */
export function Passcodes() {
  return (
    <Page
      title={t("sms.passcodes")}
      lead={t("sms.passcodes.lead")}
      back={{ href: "/settings/sms", name: t("sms.title") }}
    >
      <SendPasscode />
      <PasscodeLog />
    </Page>
  );
}

/** The text is bounded by its field: only the number can be wrong. */
const readFault = (error: ApiError | null): Record<string, string> =>
  error?.code === "VALIDATION_FAILED" ? { mobile: t("sms.passcodes.wrong") } : {};

function SendPasscode() {
  const client = useQueryClient();
  const [mobile, setMobile] = useState("");
  const [message, setMessage] = useState("");
  const [result, setResult] = useState<AnswerOf<"sendPasscode"> | null>(null);
  const send = useCall(async () => {
    setResult(null);
    const body = { mobile: mobile.trim(), message: message.trim() };
    setResult(await call("sendPasscode", { body }));
    await client.invalidateQueries({ queryKey: ["passcodes"] });
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (mobile.trim() !== "" && message.trim() !== "") send.start();
  };
  const code = send.failed?.code;
  const { faults, mended } = useFaults(send.failed, readFault);
  return (
    <Part title={t("sms.passcodes.send")}>
      {code === "SMS_PROVIDER_NOT_VERIFIED" ? (
        <Failure of={send.failed} text={t("sms.passcodes.unverified")} />
      ) : (
        code !== "VALIDATION_FAILED" && <Failure of={send.failed} />
      )}
      {result?.sent && (
        <p role="status" className="channel-good">
          {t("sms.passcodes.sent")}
        </p>
      )}
      {result && !result.sent && (
        <div role="alert" className="failure">
          <p>
            <strong>{t("sms.passcodes.refused")}.</strong> {smsErrorText(result.errorCode)}
          </p>
          {result.error && <PlatformWords words={result.error} />}
        </div>
      )}
      <Form className="channel-line" validationBehavior="aria" onSubmit={submit}>
        <TextInput
          type="tel"
          code
          label={t("sms.test.to")}
          hint={t("sms.test.to.hint")}
          value={mobile}
          onChange={(text) => {
            mended("mobile");
            setMobile(text);
          }}
          maxLength={20}
          fault={faults["mobile"]}
        />
        <TextInput
          label={t("sms.passcodes.text")}
          value={message}
          onChange={setMessage}
          maxLength={1_000}
        />
        <Button type="submit" className="primary" isPending={send.busy}>
          {t("sms.passcodes.button")}
        </Button>
      </Form>
    </Part>
  );
}

function PasscodeLog() {
  // The pages before this one, for the way back.
  const [before, setBefore] = useState<readonly string[]>([]);
  const last = before.at(-1);
  const log = useQuery({
    queryKey: ["passcodes", last ?? null],
    queryFn: ({ signal }) =>
      call("listPasscodes", { query: last === undefined ? {} : { before: last }, signal }),
    // A gateway reports later whether a passcode arrived.
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ status }) => status === "calling" || status === "sent") ? 5_000 : false,
  });
  const items = log.data?.items ?? [];
  const next = log.data?.next ?? null;
  return (
    <Part title={t("sms.passcodes.log")}>
      <Failure of={log.error} />
      {log.data && items.length === 0 && before.length === 0 ? (
        <EmptyState title={t("sms.passcodes.none")} />
      ) : (
        <PasscodeTable rows={items} busy={log.isFetching && items.length === 0} />
      )}
      {(before.length > 0 || next !== null) && (
        <Pager
          text=""
          previous={before.length > 0 ? () => setBefore(before.slice(0, -1)) : undefined}
          next={next === null ? undefined : () => setBefore([...before, next])}
        />
      )}
    </Part>
  );
}

function PasscodeTable({
  rows,
  busy,
}: {
  readonly rows: readonly Passcode[];
  readonly busy: boolean;
}) {
  const { members } = useBootstrap();
  const sender = (memberId: string | null) =>
    memberId === null
      ? t("sms.passcodes.program")
      : (members.find(({ id }) => id === memberId)?.name ?? t("sms.passcodes.former"));
  return (
    <DataTable
      name={t("sms.passcodes")}
      rows={rows}
      busy={busy}
      id={({ id }) => id}
      columns={[
        {
          key: "number",
          name: t("sms.passcodes.number"),
          cell: ({ mobile }) =>
            mobile === null ? t("sms.passcodes.erased") : <Phone of={mobile} />,
        },
        {
          key: "state",
          name: t("sms.passcodes.state"),
          cell: ({ status }) => <Badge tone={STATES[status][1]}>{t(STATES[status][0])}</Badge>,
        },
        {
          key: "reason",
          name: t("sms.passcodes.reason"),
          cell: ({ errorCode, error }) =>
            errorCode === null ? (
              <Nothing />
            ) : (
              <bdi dir="auto" title={error ?? undefined}>
                {smsErrorText(errorCode)}
              </bdi>
            ),
        },
        {
          key: "by",
          name: t("sms.passcodes.by"),
          cell: ({ memberId }) => <bdi>{sender(memberId)}</bdi>,
        },
        {
          key: "parts",
          name: t("sms.passcodes.parts"),
          numeric: true,
          cell: ({ segments }) => count(segments),
        },
        {
          key: "at",
          name: t("sms.passcodes.at"),
          cell: ({ createdAt }) => <time dateTime={createdAt}>{momentOf(createdAt)}</time>,
        },
      ]}
    />
  );
}
