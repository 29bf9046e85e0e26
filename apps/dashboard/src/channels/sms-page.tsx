import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button, Link } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { failsPage } from "../api/query-client.ts";
import { Badge } from "../kit/badge.tsx";
import { CopyField } from "../kit/copy.tsx";
import { EmptyState } from "../kit/empty.tsx";
import { Failure } from "../kit/failure.tsx";
import { count, momentOf } from "../kit/format.ts";
import { Facts, Page, Part } from "../kit/page.tsx";
import { PageLate } from "../kit/page-late.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { OtpLimit } from "./otp-limit.tsx";
import { SmsForm } from "./sms-form.tsx";
import { SmsTest } from "./sms-test.tsx";
import { smsFieldName } from "./sms-texts.ts";
import "./channels.css";

/** The workspace's SMS account, and the fields of each gateway. */
const smsQuery = queryOptions({
  queryKey: ["sms"],
  queryFn: ({ signal }) => call("readSms", { signal }),
  throwOnError: failsPage,
});

type Account = NonNullable<AnswerOf<"readSms">["account"]>;

/** `/settings/sms`: the account of an SMS gateway, verified by a test send. */
export function SmsPage() {
  const { data } = useQuery(smsQuery);
  const [receiptUrl, setReceiptUrl] = useState<string | null>(null);
  const [said, setSaid] = useState<"sms.saved" | "sms.next.discarded" | null>(null);
  if (!data) return <PageLate />;
  const { account, next, gateways, credits, otpPerNumber } = data;
  const waits = next !== null;
  return (
    <Page narrow title={t("sms.title")} lead={t("sms.lead")}>
      {account ? (
        <InUse account={account} credits={credits} />
      ) : (
        <EmptyState title={t("sms.none")} text={t("sms.none.text")} />
      )}
      {account && next && (
        <Waiting account={next} now={account} done={() => setSaid("sms.next.discarded")} />
      )}
      {said && (said === "sms.saved") === (waits || account?.verifiedAt === null) && (
        <p role="status" className="channel-good">
          {t(said)}
        </p>
      )}
      {receiptUrl !== null && (
        <Part title={t("sms.receipt")}>
          <p>{t("sms.receipt.text")}</p>
          <CopyField label={t("sms.receipt")} value={receiptUrl} />
        </Part>
      )}
      {account && <SmsTest waits={waits} />}
      {account && (
        <p>
          <Link href="/settings/sms/passcodes">{t("sms.passcodes.open")}</Link>
        </p>
      )}
      {account && <OtpLimit perNumber={otpPerNumber} />}
      <SmsForm
        key={`${(next ?? account)?.provider} ${account?.verifiedAt}`}
        gateways={gateways}
        account={next ?? account}
        inUse={(account?.verifiedAt ?? null) !== null}
        done={(url) => {
          setReceiptUrl(url);
          setSaid("sms.saved");
        }}
      />
    </Page>
  );
}

/** The account that was saved while another one sends: its values, until a test takes them or they are discarded. */
function Waiting({
  account: { provider, settings, apiUrl },
  now,
  done,
}: {
  readonly account: Account;
  readonly now: Account;
  readonly done: () => void;
}) {
  const client = useQueryClient();
  const discard = useCall(async () => {
    await call("discardSms");
    done();
    await client.invalidateQueries({ queryKey: ["sms"] });
  });
  const code = (value: string) => <bdi dir="ltr">{value}</bdi>;
  return (
    <Part
      title={t("sms.next")}
      actions={
        <Button isPending={discard.busy} onPress={() => discard.start()}>
          {t("sms.next.discard")}
        </Button>
      }
    >
      <p>{t("sms.next.text", { now: t(`sms.gateway.${now.provider}`) })}</p>
      <Failure of={discard.failed} />
      <Facts
        of={[
          [t("sms.gateway"), t(`sms.gateway.${provider}`)],
          ...Object.entries(settings).map(
            ([name, value]) => [smsFieldName(name), code(value)] as const,
          ),
          ...(apiUrl === null ? [] : [[smsFieldName("apiUrl"), code(apiUrl)] as const]),
        ]}
      />
    </Part>
  );
}

function InUse({
  account: { provider, settings, apiUrl, verifiedAt, sandbox, inboundUrl },
  credits,
}: {
  readonly account: Account;
  readonly credits: number | null;
}) {
  const code = (value: string) => <bdi dir="ltr">{value}</bdi>;
  return (
    <Part
      title={t("sms.part.now")}
      actions={
        <Badge tone={verifiedAt === null ? "warn" : "ok"}>
          {verifiedAt === null ? t("sms.unverified") : t("sms.verified")}
        </Badge>
      }
    >
      <Facts
        of={[
          [
            t("sms.gateway"),
            <span key="gateway">
              {t(`sms.gateway.${provider}`)}{" "}
              {sandbox && <Badge tone="info">{t("sms.sandbox")}</Badge>}
            </span>,
          ],
          ...Object.entries(settings).map(
            ([name, value]) => [smsFieldName(name), code(value)] as const,
          ),
          ...(apiUrl === null ? [] : [[smsFieldName("apiUrl"), code(apiUrl)] as const]),
          ...(verifiedAt === null ? [] : [[t("sms.verified"), momentOf(verifiedAt)] as const]),
          [t("sms.credits"), credits === null ? t("sms.credits.none") : count(credits)],
        ]}
      />
      {credits !== null && <p className="hint">{t("sms.credits.text")}</p>}
      {!sandbox && <Inbound provider={provider} url={inboundUrl} />}
    </Part>
  );
}

/** The address for the gateway's incoming messages: known here only for a gateway that signs its calls. */
function Inbound({
  provider,
  url,
}: {
  readonly provider: Account["provider"];
  readonly url: string;
}) {
  if (provider === "twilio")
    return (
      <>
        <CopyField label={t("sms.inbound")} value={url} />
        <p className="hint">{t("sms.inbound.twilio")}</p>
      </>
    );
  if (provider === "kwtsms" || provider === "smpp" || provider === "unifonic") return null;
  return <p className="hint">{t("sms.inbound.token")}</p>;
}
