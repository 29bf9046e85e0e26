import { useQuery } from "@tanstack/react-query";
import { Button } from "react-aria-components";
import { AskDialog } from "../kit/dialog.tsx";
import { Failure } from "../kit/failure.tsx";
import type { AskedCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import type { BroadcastEstimateJson } from "./contract.ts";
import { EstimateText } from "./estimate-text.tsx";
import { refusalText } from "./refusal.ts";

/**
 * Asks once before a start: how many people get it, how long it takes and what it uses. The start is possible while
 * the audience is still being counted, and when counting takes too long.
 */
export function StartDialog({
  name,
  estimate,
  rate,
  start,
  close,
}: {
  readonly name: string;
  readonly estimate: (signal: AbortSignal) => Promise<BroadcastEstimateJson>;
  readonly rate: string;
  readonly start: AskedCall<readonly []>;
  readonly close: () => void;
}) {
  const { data, isError } = useQuery({
    queryKey: ["campaigns", "estimate", "start"],
    queryFn: ({ signal }) => estimate(signal),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const counting = data === undefined && !isError;
  const found = data?.estimate ?? null;
  return (
    <AskDialog role="alertdialog" title={t("campaigns.start.title", { name })} close={close}>
      <div className="campaign-estimate" role="status" aria-busy={counting}>
        {found !== null ? (
          <EstimateText of={found} rate={rate} />
        ) : (
          <p>{counting ? t("campaigns.reach.counting") : t("campaigns.reach.late")}</p>
        )}
      </div>
      <Failure of={start.failed} {...refusalText(start.failed)} />
      <div className="ask-buttons">
        <Button onPress={close}>{t("kit.cancel")}</Button>
        <Button className="primary" autoFocus isPending={start.busy} onPress={() => start.start()}>
          {t("campaigns.start")}
        </Button>
      </div>
    </AskDialog>
  );
}
