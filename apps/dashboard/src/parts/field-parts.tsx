import { useState } from "react";
import { Input, RadioGroup, SearchField } from "react-aria-components";
import { ApiError } from "../api/api-error.ts";
import { AskForm, Field, NewPassword } from "../kit/ask-form.tsx";
import { CopyField } from "../kit/copy.tsx";
import { FieldFoot } from "../kit/field-foot.tsx";
import { Choice, TextInput, Tick, Toggle } from "../kit/fields.tsx";
import { Part } from "../kit/page.tsx";
import { RadioLine } from "../kit/radios.tsx";
import { UploadField } from "../kit/upload-field.tsx";
import { say } from "./say.ts";

const name = (): string => say("Name", "الاسم");

export function FieldParts() {
  return (
    <Part title={say("Fields", "الحقول")}>
      <div className="parts-grid">
        <TextParts />
        <ChoiceParts />
        <CopyField label={say("To copy", "للنسخ")} value="pk_3fJ0yQ9ZrV8x:sk_Q1m7bq" />
        <CopyField
          label={say("To copy", "للنسخ")}
          rows={2}
          value={'<script src="/chat.js"></script>'}
        />
        <UploadField
          label={say("Image", "صورة")}
          kind="image"
          file={null}
          onFile={() => undefined}
        />
        <UploadField
          label={say("Image", "صورة")}
          kind="image"
          file={{ id: "1", name: "summer-sale.jpg" }}
          onFile={() => undefined}
        />
        <UploadField
          label={say("Image", "صورة")}
          kind="image"
          file={null}
          fault={say("Choose a file.", "اختر ملفًا.")}
          onFile={() => undefined}
        />
      </div>
    </Part>
  );
}

function TextParts() {
  return (
    <>
      <TextInput label={name()} placeholder={say("For example Sara", "مثلًا سارة")} />
      <TextInput label={name()} defaultValue={say("Sara Al-Mutairi", "سارة المطيري")} />
      <TextInput label={name()} hint={say("Customers see it.", "يراه العملاء.")} />
      <TextInput label={name()} fault={say("Fill this in.", "املأ هذا الحقل.")} />
      <TextInput
        label={name()}
        hint={say("Customers see it.", "يراه العملاء.")}
        fault={say(
          "This name is taken by another member of the workspace. Choose another one.",
          "هذا الاسم مستعمل لعضو آخر في مساحة العمل. اختر غيره.",
        )}
      />
      <TextInput
        label={name()}
        isDisabled
        defaultValue={say("Not yours to change", "لا يمكنك تغييره")}
      />
      <TextInput label={say("Address", "العنوان")} code defaultValue="https://shop.example/hooks" />
      <TextInput
        label={say("Text", "النص")}
        rows={3}
        defaultValue={say("Good morning!", "صباح الخير!")}
      />
      <TextInput label={say("Text", "النص")} rows={3} fault={say("Too long.", "طويل جدًا.")} />
    </>
  );
}

function ChoiceParts() {
  const [plan, choose] = useState<"a" | "b">("a");
  const [on, turn] = useState(true);
  const options = [
    { value: "a", name: say("Every day", "كل يوم") },
    { value: "b", name: say("Every week", "كل أسبوع") },
  ] as const;
  return (
    <>
      <Choice label={say("How often", "كم مرة")} options={options} value={plan} change={choose} />
      <Choice
        label={say("How often", "كم مرة")}
        hint={say("By the workspace's clock.", "بتوقيت مساحة العمل.")}
        options={options}
        value={plan}
        change={choose}
      />
      <Choice
        label={say("How often", "كم مرة")}
        options={options}
        value={plan}
        change={choose}
        disabled
      />
      <Choice
        label={say("How often", "كم مرة")}
        options={options}
        value={plan}
        change={choose}
        hidden
      />
      <SearchField
        className="react-aria-SearchField search-field"
        aria-label={say("Search", "بحث")}
      >
        <Input placeholder={say("Search", "بحث")} />
        <FieldFoot />
      </SearchField>
      <Toggle label={say("On or off, at once", "تشغيل أو إيقاف، فورًا")} on={on} change={turn} />
      <Toggle label={say("Disabled", "معطل")} on disabled change={() => undefined} />
      <Tick label={say("A box to tick", "مربع اختيار")} on={on} change={turn} />
      <Tick
        label={say(
          "A box with a long sentence that runs over more than one line of its column",
          "مربع مع جملة طويلة تمتد على أكثر من سطر واحد في عمودها",
        )}
        on={!on}
        change={(now) => turn(!now)}
      />
      <RadioGroup aria-label={say("One of two", "واحد من اثنين")} defaultValue="a">
        <RadioLine value="a">{say("The first", "الأول")}</RadioLine>
        <RadioLine value="b">{say("The second", "الثاني")}</RadioLine>
      </RadioGroup>
    </>
  );
}

const idle = { busy: false, failed: null, start: () => undefined };

export function FormParts() {
  const forms = [
    idle,
    { ...idle, busy: true },
    { ...idle, failed: new ApiError({ code: "INVALID_CREDENTIALS", status: 401 }) },
    { ...idle, failed: new ApiError({ code: "INTERNAL", status: 500, requestId: "req_7d41" }) },
  ];
  return (
    <Part title={say("Forms with one button", "نماذج بزر واحد")}>
      <div className="parts-grid">
        {forms.map((call, index) => (
          <AskForm
            key={String(index)}
            call={call}
            verb={say("Sign in", "تسجيل الدخول")}
            {...(index === 1 && { cancel: () => undefined })}
          >
            <Field
              name="email"
              type="email"
              label={say("E-mail", "البريد الإلكتروني")}
              hint={say("Of work.", "بريد العمل.")}
            />
            {index === 0 && <NewPassword label={say("New password", "كلمة مرور جديدة")} />}
          </AskForm>
        ))}
      </div>
    </Part>
  );
}
