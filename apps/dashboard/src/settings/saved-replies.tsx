import { useState } from "react";
import { Button, Input, SearchField } from "react-aria-components";
import { call } from "../api/call.ts";
import { bootstrapQuery, queryClient } from "../api/query-client.ts";
import type { SavedReplyJson } from "../api/shapes.ts";
import { useBootstrap } from "../desk/use-inbox.ts";
import { Badge } from "../kit/badge.tsx";
import { ConfirmDialog } from "../kit/dialog.tsx";
import { EmptyState } from "../kit/empty.tsx";
import { Page } from "../kit/page.tsx";
import { DataTable } from "../kit/table.tsx";
import { useCall } from "../kit/use-call.ts";
import { Icon } from "../kit/icon.tsx";
import { t } from "../text/t.ts";
import { EditSavedReply } from "./edit-saved-reply.tsx";
import "../kit/fields.css";
import "./saved.css";

/** `/settings/saved-replies`: texts that a word inserts, everybody's and the member's own. */
export function SavedReplies() {
  const { savedReplies, member } = useBootstrap();
  const [sought, setSought] = useState("");
  const [editing, setEditing] = useState<SavedReplyJson | "new" | null>(null);
  const [deleting, setDeleting] = useState<SavedReplyJson | null>(null);
  const words = sought.trim().toLowerCase();
  const rows = savedReplies.filter(({ shortcut, title, text }) =>
    [shortcut, title, text].some((one) => one.toLowerCase().includes(words)),
  );
  const mayWrite = (reply: SavedReplyJson) => !reply.shared || member.role !== "agent";
  const add = (
    <Button className="primary" onPress={() => setEditing("new")}>
      <Icon name="plus" />
      {t("saved.reply.new")}
    </Button>
  );
  return (
    <Page
      title={t("shell.settings.savedReplies")}
      lead={t("saved.replies.lead")}
      actions={savedReplies.length > 0 && add}
    >
      {savedReplies.length === 0 ? (
        <EmptyState title={t("saved.replies.none")} text={t("saved.replies.none.text")}>
          {add}
        </EmptyState>
      ) : (
        <>
          <SearchField
            className="react-aria-SearchField search-field"
            aria-label={t("saved.replies.search")}
            value={sought}
            onChange={setSought}
          >
            <Input
              placeholder={t("saved.replies.search")}
              {...(sought !== "" && { dir: "auto" })}
            />
          </SearchField>
          {rows.length === 0 ? (
            <p role="status">{t("saved.replies.nothing")}</p>
          ) : (
            <ReplyTable rows={rows} mayWrite={mayWrite} edit={setEditing} remove={setDeleting} />
          )}
        </>
      )}
      {editing !== null && (
        <EditSavedReply
          key={editing === "new" ? editing : editing.etag}
          loaded={setEditing}
          reply={editing === "new" ? null : editing}
          mayShare={member.role !== "agent"}
          close={() => setEditing(null)}
        />
      )}
      {deleting !== null && <DeleteReply reply={deleting} close={() => setDeleting(null)} />}
    </Page>
  );
}

function ReplyTable({
  rows,
  mayWrite,
  edit,
  remove,
}: {
  readonly rows: readonly SavedReplyJson[];
  readonly mayWrite: (reply: SavedReplyJson) => boolean;
  readonly edit: (reply: SavedReplyJson) => void;
  readonly remove: (reply: SavedReplyJson) => void;
}) {
  return (
    <DataTable
      name={t("shell.settings.savedReplies")}
      rows={rows}
      id={({ id }) => id}
      columns={[
        {
          key: "title",
          name: t("saved.reply.title"),
          cell: ({ title, text }) => (
            <span className="reply-cell">
              <bdi>{title}</bdi>
              <span dir="auto">{text}</span>
            </span>
          ),
        },
        {
          key: "shortcut",
          name: t("saved.reply.shortcut"),
          cell: ({ shortcut }) => <bdi>/{shortcut}</bdi>,
        },
        {
          key: "for",
          name: t("saved.for"),
          cell: ({ shared }) => (
            <Badge tone={shared ? "accent" : "plain"}>
              {t(shared ? "saved.everyone" : "saved.mine")}
            </Badge>
          ),
        },
        {
          key: "actions",
          name: t("saved.actions"),
          action: true,
          cell: (reply) =>
            mayWrite(reply) && (
              <span className="cell-actions">
                <Button
                  aria-label={t("saved.edit.of", { name: reply.title })}
                  onPress={() => edit(reply)}
                >
                  {t("kit.edit")}
                </Button>
                <Button
                  aria-label={t("saved.delete.of", { name: reply.title })}
                  onPress={() => remove(reply)}
                >
                  {t("kit.delete")}
                </Button>
              </span>
            ),
        },
      ]}
    />
  );
}

function DeleteReply({
  reply,
  close,
}: {
  readonly reply: SavedReplyJson;
  readonly close: () => void;
}) {
  const remove = useCall(async () => {
    await call("deleteSavedReply", { params: { id: reply.id } });
    await queryClient.invalidateQueries(bootstrapQuery);
    close();
  });
  return (
    <ConfirmDialog
      title={t("saved.reply.delete", { name: reply.title })}
      verb={t("kit.delete")}
      call={remove}
      close={close}
    >
      <p>{t(reply.shared ? "saved.reply.delete.shared" : "saved.reply.delete.text")}</p>
    </ConfirmDialog>
  );
}
