import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useNavigate } from "@tanstack/react-router";
import { Link } from "react-aria-components";
import { call } from "../api/call.ts";
import { failsPage, queryClient } from "../api/query-client.ts";
import { EmptyState } from "../kit/empty.tsx";
import { Page } from "../kit/page.tsx";
import { PageLate } from "../kit/page-late.tsx";
import { t } from "../text/t.ts";
import { TemplateBuilder, type Handed } from "./builder.tsx";
import { draftOf } from "./parts.ts";
import "./templates.css";

const EMPTY = {
  name: "",
  language: "en",
  category: "UTILITY",
  body: "",
  bodyExamples: [],
  buttons: [],
} as const;

/** `/templates/new`: a new template, submitted to WhatsApp for review. */
export function NewTemplate() {
  const navigate = useNavigate();
  const { data } = useQuery({
    queryKey: ["templates", "channels"],
    queryFn: ({ signal }) => call("listTemplates", { query: { limit: 1 }, signal }),
    throwOnError: failsPage,
  });
  const page = (children: React.ReactNode) => (
    <Page
      title={t("templates.new")}
      lead={t("templates.new.lead")}
      back={{ href: "/templates", name: t("templates.title") }}
    >
      {children}
    </Page>
  );
  if (data === undefined) return page(null);
  if (data.channels.length === 0)
    return page(
      <EmptyState title={t("templates.none.channel")} text={t("templates.none.channelText")}>
        <Link className="primary" href="/settings/channels">
          {t("templates.none.connect")}
        </Link>
      </EmptyState>,
    );
  const submit = async ({ channelId, draft }: Handed): Promise<void> => {
    const made = await call("createTemplate", { body: { channelId, ...bodyOf(draft) } });
    await queryClient.invalidateQueries({ queryKey: ["templates"] });
    await navigate({ to: "/templates/$id", params: { id: made.id } });
  };
  return page(<TemplateBuilder first={EMPTY} channels={data.channels} submit={submit} />);
}

/** `/templates/:id/edit`: other words for a template that Meta allows to be edited. */
export function EditTemplate() {
  const { id } = useParams({ from: "/members/templates/$id/edit" });
  const navigate = useNavigate();
  const { data } = useQuery({
    queryKey: ["templates", "one", id],
    queryFn: ({ signal }) => call("readTemplate", { params: { id }, signal }),
    throwOnError: failsPage,
  });
  if (data === undefined) return <PageLate />;
  const submit = async ({ draft }: Handed): Promise<void> => {
    const { name: _name, language: _language, category: _category, ...content } = bodyOf(draft);
    await call("editTemplate", { params: { id }, body: content });
    await queryClient.invalidateQueries({ queryKey: ["templates"] });
    await navigate({ to: "/templates/$id", params: { id } });
  };
  return (
    <Page
      title={t("templates.editing", { name: data.listed.template.name })}
      lead={t("templates.editing.lead")}
      back={{ href: `/templates/${id}`, name: data.listed.template.name }}
    >
      <TemplateBuilder
        first={draftOf(data.listed)}
        channels={[data.channel]}
        fixed
        submit={submit}
      />
    </Page>
  );
}

/** The draft in the form of a request's body. */
const bodyOf = ({ buttons, bodyExamples, ...draft }: Handed["draft"]) => ({
  ...draft,
  bodyExamples: [...bodyExamples],
  buttons: [...buttons],
});
