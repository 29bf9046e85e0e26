import { useState } from "react";
import { Button } from "react-aria-components";
import { call } from "../api/call.ts";
import { AskDialog } from "../kit/dialog.tsx";
import { Failure } from "../kit/failure.tsx";
import { TextInput } from "../kit/fields.tsx";
import { count } from "../kit/format.ts";
import { useCall } from "../kit/use-call.ts";
import { useMay } from "../kit/use-may.ts";
import { t } from "../text/t.ts";
import type { Campaign } from "./contract.ts";
import { campaignChanged } from "./queries.ts";
import { refusalText } from "./refusal.ts";

const OPEN: readonly Campaign["status"][] = ["SCHEDULED", "QUEUED", "RUNNING", "PAUSED"];

/** The campaign's pace; members who may can change it while it runs. */
export function Pace({
  campaign: { id, status, rateLimitPerMinute },
}: {
  readonly campaign: Campaign;
}) {
  const may = useMay("paceBroadcast");
  const [asking, setAsking] = useState(false);
  const [rate, setRate] = useState("");
  const value = Number(rate);
  const fits = Number.isInteger(value) && value >= 10 && value <= 1_000_000;
  const set = useCall(async () => {
    await call("paceBroadcast", { params: { id }, body: { rateLimitPerMinute: value } });
    await campaignChanged(id);
    setAsking(false);
  });
  const words = t("campaigns.pace.now", { rate: count(rateLimitPerMinute) });
  if (!may || !OPEN.includes(status)) return <span className="hint">{words}</span>;
  return (
    <span className="campaign-states">
      <span className="hint">{words}</span>
      <Button
        className="quiet"
        onPress={() => {
          setRate(String(rateLimitPerMinute));
          setAsking(true);
        }}
      >
        {t("campaigns.pace.change")}
      </Button>
      {asking && (
        <AskDialog
          title={t("campaigns.pace.change")}
          close={() => setAsking(false)}
          submit={() => set.start()}
        >
          <TextInput
            label={t("campaigns.pace")}
            hint={t("campaigns.pace.text")}
            code
            inputMode="numeric"
            value={rate}
            onChange={(text) => setRate(text.replaceAll(/\D/g, ""))}
            autoFocus
          />
          <Failure of={set.failed} {...refusalText(set.failed)} />
          <div className="ask-buttons">
            <Button onPress={() => setAsking(false)}>{t("kit.cancel")}</Button>
            <Button className="primary" isDisabled={!fits} isPending={set.busy} type="submit">
              {t("kit.save")}
            </Button>
          </div>
        </AskDialog>
      )}
    </span>
  );
}
