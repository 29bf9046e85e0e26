import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Button, Link } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { failsPage } from "../api/query-client.ts";
import { Badge } from "../kit/badge.tsx";
import { ConfirmDialog } from "../kit/dialog.tsx";
import { momentOf } from "../kit/format.ts";
import { Facts, Page, Part } from "../kit/page.tsx";
import { PageLate } from "../kit/page-late.tsx";
import { useCall } from "../kit/use-call.ts";
import { useMay } from "../kit/use-may.ts";
import { Icon } from "../kit/icon.tsx";
import { t } from "../text/t.ts";
import { draftOf, fitsBuilder, partsOfDraft, type Listed } from "./parts.ts";
import { PhonePreview } from "./preview.tsx";
import { languageWord } from "../kit/language-word.ts";
import { categoryWord, Quality, rejectionWords, StatusBadge } from "./words.tsx";
import "./templates.css";

/** `/templates/:id`: one template, its state, and the campaigns that send it. */
export function Template() {
  const { id } = useParams({ from: "/members/templates/$id" });
  const { data } = useQuery({
    queryKey: ["templates", "one", id],
    queryFn: ({ signal }) => call("readTemplate", { params: { id }, signal }),
    throwOnError: failsPage,
  });
  const mayEdit = useMay("editTemplate");
  const mayDelete = useMay("deleteTemplate");
  const [deleting, setDeleting] = useState(false);
  if (data === undefined) return <PageLate />;
  const { listed, channel, campaigns } = data;
  const { template } = listed;
  const canEdit = mayEdit && listed.editable && fitsBuilder(listed);
  return (
    <Page
      title={template.name}
      back={{ href: "/templates", name: t("templates.title") }}
      actions={
        <>
          {mayDelete && template.status !== "DELETED" && (
            <Button className="quiet destroys" onPress={() => setDeleting(true)}>
              <Icon name="trash" />
              {t("kit.delete")}
            </Button>
          )}
          {canEdit && (
            <Link className="button" href={`/templates/${id}/edit`}>
              {t(template.status === "REJECTED" ? "templates.editAgain" : "templates.edit")}
            </Link>
          )}
        </>
      }
    >
      {template.status === "REJECTED" && <Refused listed={listed} />}
      {template.status === "PENDING" && <p className="hint">{t("templates.pendingText")}</p>}
      <Part title={t("templates.preview")}>
        <div className="template-phones">
          {(["ltr", "rtl"] as const).map((direction) => (
            <div key={direction} className="template-preview">
              {/* The preview's own name, for those who see it. */}
              <span aria-hidden="true">{t(`templates.preview.${direction}`)}</span>
              <PhonePreview parts={partsOfDraft(draftOf(listed))} direction={direction} />
            </div>
          ))}
        </div>
      </Part>
      <Part title={t("templates.facts")}>
        <Facts
          of={[
            [t("templates.status"), <StatusBadge key="s" status={template.status} />],
            [t("templates.category"), categoryWord(template.category)],
            [t("templates.language"), languageWord(template.language)],
            [t("templates.quality"), <Quality key="q" quality={listed.quality} />],
            [t("templates.channel"), <bdi key="c">{channel.name}</bdi>],
            [t("templates.variables"), <Variables key="v" listed={listed} />],
            [
              t("templates.metaId"),
              <bdi key="m" dir="ltr">
                {template.metaId}
              </bdi>,
            ],
            [t("templates.lastSynced"), momentOf(template.lastSyncedAt)],
          ]}
        />
      </Part>
      <Part title={t("templates.usedIn")}>
        {campaigns.length === 0 ? (
          <p className="hint">{t("templates.unused")}</p>
        ) : (
          <ul className="template-uses">
            {campaigns.map((one) => (
              <li key={one.id}>
                <Link href={`/campaigns/${one.id}`}>
                  <bdi>{one.name}</bdi>
                </Link>{" "}
                <Badge>{t(`templates.campaign.${one.status}`)}</Badge>
              </li>
            ))}
          </ul>
        )}
      </Part>
      {deleting && <DeleteTemplate of={data} close={() => setDeleting(false)} />}
    </Page>
  );
}

/** The states in which a campaign needs its template. */
const NEEDS_IT: readonly string[] = ["SCHEDULED", "QUEUED", "RUNNING", "PAUSED"];

/** Asks before the template is deleted. While a campaign sends it, it cannot be. */
function DeleteTemplate({
  of: { listed, campaigns },
  close,
}: {
  readonly of: AnswerOf<"readTemplate">;
  readonly close: () => void;
}) {
  const { id, name, language } = listed.template;
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useCall(async () => {
    await call("deleteTemplate", { params: { id } });
    await navigate({ to: "/templates" });
    await client.invalidateQueries({ queryKey: ["templates"] });
  });
  const holders = campaigns.filter(({ status }) => NEEDS_IT.includes(status));
  return (
    <ConfirmDialog
      title={t("templates.delete.title", { name, language: languageWord(language) })}
      verb={t("kit.delete")}
      call={remove}
      ready={holders.length === 0}
      close={close}
    >
      <p>
        {holders.length > 0
          ? t("templates.delete.held", { names: holders.map((one) => one.name).join(", ") })
          : t("templates.delete.text")}
      </p>
    </ConfirmDialog>
  );
}

function Refused({ listed }: { readonly listed: Listed }) {
  return (
    <div role="note" className="failure">
      <p>{t("templates.refused", { reason: rejectionWords(listed.rejectedReason) })}</p>
      {listed.rejectionDetail !== null && <p dir="auto">{listed.rejectionDetail}</p>}
    </div>
  );
}

/** The variables of the body with the examples that the reviewers saw. */
function Variables({ listed }: { readonly listed: Listed }) {
  const { bodyExamples } = draftOf(listed);
  const { bodyVariableCount } = listed.template;
  if (bodyVariableCount === 0) return t("kit.none");
  return (
    <ul className="template-variables">
      {Array.from({ length: bodyVariableCount }, (_, index) => (
        <li key={index}>
          <bdi dir="ltr">{`{{${index + 1}}}`}</bdi>
          {bodyExamples[index] && (
            <>
              {" "}
              <bdi>{bodyExamples[index]}</bdi>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
