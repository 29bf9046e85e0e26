import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button, Form as FormBox } from "react-aria-components";
import { call } from "../api/call.ts";
import { Failure } from "../kit/failure.tsx";
import { TextInput } from "../kit/fields.tsx";
import { Part } from "../kit/page.tsx";
import { useCall } from "../kit/use-call.ts";
import { readAgain } from "../live/reread-queries.ts";
import { isAbout, useNews } from "../desk/use-news.ts";
import { nameInText, Phone } from "../kit/phone.tsx";
import { t } from "../text/t.ts";
import { Addressee } from "./addressee.tsx";
import type { Form } from "./form.ts";
import { useRested } from "./phone-preview.tsx";
import { refusalText } from "./refusal.ts";
import { faultWord } from "../kit/fault-words.ts";
import { causeText, skipWord, stateWord } from "./words.ts";

const OVER: readonly string[] = ["COMPLETED", "CANCELLED", "FAILED", "PAUSED"];

/** Sends the message to one phone, or one person, before everybody gets it. */
export function TestSend({
  save,
  saved,
  kind,
}: {
  readonly save: () => Promise<string>;
  readonly saved: (id: string) => Promise<void>;
  readonly kind: Form["kind"];
}) {
  const [to, setTo] = useState("");
  const [sent, setSent] = useState<string | null>(null);
  const search = useRested(to.trim());
  const people = useQuery({
    queryKey: ["campaigns", "people", search],
    queryFn: ({ signal }) => call("findTestPeople", { query: { search }, signal }),
    enabled: search.length > 1,
  });
  const test = useCall(async (body: { contactIds: string[] } | { phone: string }) => {
    setSent(null);
    const id = await save();
    await saved(id);
    setSent((await call("testBroadcast", { params: { id }, body })).id);
  });
  const isNumber = /\d{6}/.test(to.replaceAll(/[\s()+-]/g, ""));
  return (
    <Part title={t("campaigns.test.title")}>
      <FormBox
        className="campaign-test"
        onSubmit={(event) => {
          event.preventDefault();
          if (isNumber) test.start({ phone: to });
        }}
      >
        <TextInput
          label={t("campaigns.test.to")}
          hint={t(kind === "TEXT" ? "campaigns.test.hint.person" : "campaigns.test.hint")}
          value={to}
          maxLength={60}
          onChange={setTo}
        />
        <Button type="submit" isPending={test.busy} isDisabled={!isNumber}>
          {t("campaigns.test.send")}
        </Button>
      </FormBox>
      {search.length > 1 && (people.data?.people.length ?? 0) > 0 && (
        <ul className="campaign-sample" aria-label={t("campaigns.test.people")}>
          {people.data?.people.map(({ id, name, phone }) => (
            <li key={id}>
              <Addressee of={{ name, address: phone }} on="WHATSAPP" />
              {name !== null && phone !== null && <Phone of={phone} />}
              <Button
                className="quiet"
                isDisabled={test.busy}
                onPress={() => test.start({ contactIds: [id] })}
              >
                {t("campaigns.test.sendTo", { name: nameInText(name ?? `+${phone ?? ""}`) })}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Failure of={test.failed} {...refusalText(test.failed)} />
      {sent !== null && <TestOutcome id={sent} />}
    </Part>
  );
}

const AGAIN_MS = 700;

/** How the test went, watched until it is over. */
function TestOutcome({ id }: { readonly id: string }) {
  const shown = useQuery({
    queryKey: ["campaigns", "test", id],
    queryFn: ({ signal }) => call("readCampaign", { params: { id }, signal }),
  });
  const campaign = shown.data;
  useNews("broadcast", isAbout(id), AGAIN_MS, () => readAgain(shown));
  const over = campaign !== undefined && OVER.includes(campaign.status);
  const recipient = useQuery({
    queryKey: ["campaigns", "test", id, campaign?.status],
    queryFn: ({ signal }) =>
      call("listRecipients", { params: { id }, query: { limit: 1 }, signal }),
    enabled: over,
  }).data?.items[0];
  const words = (): string => {
    if (!campaign || !over) return campaign ? stateWord(campaign.status) : t("kit.loading");
    if (campaign.statusReason !== null) return causeText(campaign.statusReason);
    if (!recipient) return stateWord(campaign.status);
    const { status, reason } = recipient;
    if (status === "skipped") return t("campaigns.phone.skipped", { why: skipWord(reason ?? "") });
    return status === "failed" ? faultWord(reason ?? "") : t("campaigns.test.sent");
  };
  return <p role="status">{words()}</p>;
}
