import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "react-aria-components";
import { call } from "../api/call.ts";
import { AskDialog, ConfirmDialog } from "../kit/dialog.tsx";
import { Choice, TextInput, Tick } from "../kit/fields.tsx";
import { Failure } from "../kit/failure.tsx";
import { useCall } from "../kit/use-call.ts";
import { useMay } from "../kit/use-may.ts";
import { t } from "../text/t.ts";
import type { Campaign } from "./contract.ts";
import { campaignChanged, choicesQuery } from "./queries.ts";
import { StartDialog } from "./start-dialog.tsx";
import { refusalText } from "./refusal.ts";
import { wayWord } from "./words.ts";

type Asking = "start" | "cancel" | "failed" | "unknown" | "copy";

/** The actions on a campaign in its state, for members who may use them. */
export function CampaignActions({
  campaign,
  unknown,
}: {
  readonly campaign: Campaign;
  /** Recipients with an unknown outcome. */
  readonly unknown: number;
}) {
  const may = useMay("startCampaign");
  const { id, status, isTest } = campaign;
  const [asking, setAsking] = useState<Asking | null>(null);
  const close = () => setAsking(null);
  const navigate = useNavigate();
  const move = useCall(async (name: "startCampaign" | "pauseBroadcast" | "unscheduleBroadcast") => {
    try {
      await call(name, { params: { id } });
    } finally {
      await campaignChanged(id);
    }
  });
  const opened = async (made: string): Promise<void> => {
    close();
    await campaignChanged(id);
    await navigate({ to: "/campaigns/$id", params: { id: made }, search: { step: "check" } });
  };
  if (!may) return null;
  const over = ["COMPLETED", "CANCELLED", "FAILED"].includes(status);
  const resendable = ["PAUSED", "COMPLETED", "CANCELLED"].includes(status);
  return (
    <>
      {status === "RUNNING" && (
        <Button isPending={move.busy} onPress={() => move.start("pauseBroadcast")}>
          {t("campaigns.pause")}
        </Button>
      )}
      {status === "PAUSED" && (
        <Button
          className="primary"
          isPending={move.busy}
          onPress={() => move.start("startCampaign")}
        >
          {t("campaigns.resume")}
        </Button>
      )}
      {status === "SCHEDULED" && (
        <>
          <Button isPending={move.busy} onPress={() => setAsking("start")}>
            {t("campaigns.start")}
          </Button>
          <Button isPending={move.busy} onPress={() => move.start("unscheduleBroadcast")}>
            {t("campaigns.unschedule")}
          </Button>
        </>
      )}
      {resendable && campaign.failedCount > 0 && (
        <Button onPress={() => setAsking("failed")}>{t("campaigns.resendFailed")}</Button>
      )}
      {(status === "PAUSED" || status === "COMPLETED") && unknown > 0 && (
        <Button onPress={() => setAsking("unknown")}>{t("campaigns.resendUnknown")}</Button>
      )}
      {!isTest && <Button onPress={() => setAsking("copy")}>{t("campaigns.copy")}</Button>}
      {!over && <Button onPress={() => setAsking("cancel")}>{t("campaigns.cancel")}</Button>}
      <Failure of={move.failed} {...refusalText(move.failed)} />
      {asking === "start" && <StartScheduled campaign={campaign} close={close} />}
      {asking === "cancel" && <CancelCampaign id={id} close={close} />}
      {asking === "unknown" && <ResendUnknown id={id} unknown={unknown} close={close} />}
      {asking === "failed" && (
        <ResendFailed campaign={campaign} unknown={unknown} close={close} opened={opened} />
      )}
      {asking === "copy" && <CopyCampaign campaign={campaign} close={close} opened={opened} />}
    </>
  );
}

interface Asked {
  readonly id: string;
  readonly close: () => void;
}

/** Starts a scheduled campaign at once instead of at its time. */
function StartScheduled({
  campaign: { id, name, rateLimitPerMinute },
  close,
}: {
  readonly campaign: Campaign;
  readonly close: () => void;
}) {
  const start = useCall(async () => {
    await call("startCampaign", { params: { id } });
    await campaignChanged(id);
    close();
  });
  return (
    <StartDialog
      name={name}
      rate={String(rateLimitPerMinute)}
      estimate={(signal) => call("estimateBroadcast", { params: { id }, signal })}
      start={start}
      close={close}
    />
  );
}

function CancelCampaign({ id, close }: Asked) {
  const cancel = useCall(async () => {
    await call("cancelBroadcast", { params: { id } });
    await campaignChanged(id);
    close();
  });
  return (
    <ConfirmDialog
      title={t("campaigns.cancel.title")}
      verb={t("campaigns.cancel")}
      call={cancel}
      keeps
      close={close}
    >
      <p>{t("campaigns.cancel.text")}</p>
    </ConfirmDialog>
  );
}

function ResendUnknown({ id, unknown, close }: Asked & { readonly unknown: number }) {
  const again = useCall(async () => {
    await call("resendUnknown", { params: { id } });
    await campaignChanged(id);
    close();
  });
  return (
    <ConfirmDialog
      title={t("campaigns.resendUnknown.title")}
      verb={t("campaigns.resendUnknown.verb")}
      call={again}
      close={close}
    >
      <p>{t("campaigns.resendUnknown.text", { count: unknown })}</p>
    </ConfirmDialog>
  );
}

interface Copying {
  readonly campaign: Campaign;
  readonly close: () => void;
  readonly opened: (id: string) => Promise<void>;
}

function ResendFailed({
  campaign: { id, name, status },
  unknown,
  close,
  opened,
}: Copying & { readonly unknown: number }) {
  const [all, setAll] = useState(false);
  const [unknownToo, setUnknownToo] = useState(false);
  const make = useCall(async () => {
    const body = {
      name: t("campaigns.resend.name", { name }).slice(0, 200),
      all,
      unknown: unknownToo,
    };
    await opened((await call("resendFailed", { params: { id }, body })).id);
  });
  return (
    <AskDialog title={t("campaigns.resendFailed")} close={close}>
      <p>{t("campaigns.resendFailed.text")}</p>
      <Tick label={t("campaigns.resendFailed.all")} on={all} change={setAll} />
      {status === "CANCELLED" && unknown > 0 && (
        <Tick
          label={t("campaigns.resendFailed.unknown", { count: unknown })}
          on={unknownToo}
          change={setUnknownToo}
        />
      )}
      <Failure of={make.failed} {...refusalText(make.failed)} />
      <div className="ask-buttons">
        <Button onPress={close}>{t("kit.cancel")}</Button>
        <Button className="primary" isPending={make.busy} onPress={() => make.start()}>
          {t("campaigns.resendFailed.make")}
        </Button>
      </div>
    </AskDialog>
  );
}

function CopyCampaign({ campaign, close, opened }: Copying) {
  const { id, kind, channelId } = campaign;
  const { ways } = useSuspenseQuery(choicesQuery).data;
  const fitting = ways.filter(
    (one) =>
      one.channelId !== null &&
      (kind === "TEXT" || (kind === "WHATSAPP_TEMPLATE" && one.channelType === "WHATSAPP")),
  );
  const [name, setName] = useState(t("campaigns.copy.name", { name: campaign.name }).slice(0, 200));
  const [to, setTo] = useState(channelId ?? "");
  const make = useCall(async () => {
    const body = { name, ...(to !== "" && to !== channelId && { channelId: to }) };
    await opened((await call("duplicateBroadcast", { params: { id }, body })).id);
  });
  return (
    <AskDialog title={t("campaigns.copy.title")} close={close} submit={() => make.start()}>
      <TextInput
        label={t("campaigns.form.name")}
        value={name}
        maxLength={200}
        onChange={setName}
        autoFocus
      />
      {fitting.length > 1 && (
        <Choice
          label={t("campaigns.form.way")}
          options={fitting.map((one) => ({ value: one.channelId ?? "", name: wayWord(one) }))}
          value={to}
          change={setTo}
        />
      )}
      <Failure of={make.failed} {...refusalText(make.failed)} />
      <div className="ask-buttons">
        <Button onPress={close}>{t("kit.cancel")}</Button>
        <Button
          className="primary"
          isPending={make.busy}
          isDisabled={name.trim() === ""}
          type="submit"
        >
          {t("campaigns.copy.make")}
        </Button>
      </div>
    </AskDialog>
  );
}
