import { useState } from "react";
import { Button } from "react-aria-components";
import { Icon } from "../kit/icon.tsx";
import { Part } from "../kit/page.tsx";
import { t } from "../text/t.ts";
import { BotSecret } from "./bot-secret.tsx";
import type { Bot, BotDocument } from "./bots-query.ts";
import { FlowPreview } from "./flow-preview.tsx";
import { stepsOf, typeOfStep } from "./flow-steps.ts";
import { StepList } from "./step-list.tsx";
import { usePreview } from "./use-preview.ts";
import "./flow.css";

/** The steps of a flow, and beside them a phone on which the draft answers. */
export function FlowEditor({
  bot,
  document,
  mayWrite,
  change,
  undo,
}: {
  readonly bot: Bot;
  readonly document: BotDocument;
  readonly mayWrite: boolean;
  readonly change: (make: (document: BotDocument) => BotDocument, field?: string) => void;
  readonly undo: (() => void) | null;
}) {
  const trying = usePreview(bot.id, document);
  const [isOpen, setOpen] = useState(false);
  const { preview } = trying;
  const speaks =
    preview?.step ?? preview?.lines.findLast(({ step }) => step !== null)?.step ?? null;
  const calls = [...stepsOf(document).values()].some((step) => typeOfStep(step) === "call");
  return (
    <div className="flow-grid">
      <div className="flow-work">
        <Part
          title={t("flow.steps")}
          actions={
            preview && (
              <Button className="button flow-try" onPress={() => setOpen(true)}>
                <Icon name="smartphone" />
                {t("flow.preview.open")}
              </Button>
            )
          }
        >
          <StepList
            document={document}
            faults={preview?.faults ?? bot.faults}
            speaks={speaks}
            mayWrite={mayWrite}
            change={change}
            undo={undo}
          />
        </Part>
        {mayWrite && calls && <BotSecret bot={bot} />}
      </div>
      {(preview ?? trying.failed) && (
        <FlowPreview trying={trying} isOpen={isOpen} close={() => setOpen(false)} />
      )}
    </div>
  );
}
