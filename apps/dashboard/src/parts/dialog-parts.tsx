import { useState, type ReactNode } from "react";
import { Button, Input, SearchField } from "react-aria-components";
import { ApiError } from "../api/api-error.ts";
import { AskDialog, ConfirmDialog } from "../kit/dialog.tsx";
import { EscLeaves } from "../kit/esc-leaves.tsx";
import { TextInput } from "../kit/fields.tsx";
import { Part } from "../kit/page.tsx";
import { say } from "./say.ts";

const idle = { busy: false, failed: null, start: () => undefined };
const FAILED = new ApiError({ code: "RATE_LIMITED", status: 429 });

export function DialogParts() {
  const [open, setOpen] = useState<string | null>(null);
  const close = () => setOpen(null);
  const title = say("Delete the label?", "حذف الوسم؟");
  const text = <p>{say("It leaves 12 conversations.", "سيُزال من 12 محادثة.")}</p>;
  const dialogs: Readonly<Record<string, () => ReactNode>> = {
    form: () => (
      <AskDialog title={say("New label", "وسم جديد")} close={close} submit={close}>
        <TextInput label={say("Name", "الاسم")} autoFocus />
        <div className="ask-buttons">
          <Button onPress={close}>{say("Cancel", "إلغاء")}</Button>
          <Button type="submit" className="primary">
            {say("Create", "إنشاء")}
          </Button>
        </div>
      </AskDialog>
    ),
    search: () => (
      <AskDialog title={say("Give to", "إسناد إلى")} close={close}>
        <EscLeaves close={close}>
          <SearchField autoFocus defaultValue="Lina" aria-label={say("Search", "بحث")}>
            <Input />
          </SearchField>
        </EscLeaves>
      </AskDialog>
    ),
    wide: () => (
      <AskDialog wide title={say("A wide one", "نافذة عريضة")} close={close}>
        {text}
      </AskDialog>
    ),
    sheet: () => (
      <AskDialog sheet title={say("A sheet on a phone", "صفحة سفلية على الهاتف")} close={close}>
        {text}
      </AskDialog>
    ),
    confirm: () => (
      <ConfirmDialog title={title} verb={say("Delete", "حذف")} call={idle} close={close}>
        {text}
      </ConfirmDialog>
    ),
    "not ready": () => (
      <ConfirmDialog
        title={title}
        verb={say("Delete", "حذف")}
        call={idle}
        ready={false}
        close={close}
      >
        {text}
      </ConfirmDialog>
    ),
    busy: () => (
      <ConfirmDialog
        title={title}
        verb={say("Delete", "حذف")}
        call={{ ...idle, busy: true }}
        close={close}
      >
        {text}
      </ConfirmDialog>
    ),
    failed: () => (
      <ConfirmDialog
        title={title}
        verb={say("Delete", "حذف")}
        call={{ ...idle, failed: FAILED }}
        close={close}
      >
        {text}
      </ConfirmDialog>
    ),
  };
  return (
    <Part title={say("Dialogs", "مربعات الحوار")}>
      <div className="parts-row">
        {Object.keys(dialogs).map((name) => (
          <Button key={name} onPress={() => setOpen(name)}>
            <bdi dir="ltr">{name}</bdi>
          </Button>
        ))}
      </div>
      {open !== null && dialogs[open]?.()}
    </Part>
  );
}
