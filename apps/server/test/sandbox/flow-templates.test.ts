import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { OPERATOR } from "../../src/actor.ts";
import { createBot } from "../../src/bots/record/bots.ts";
import { archiveBot, publishBot } from "../../src/bots/record/publish-bot.ts";
import { FLOW_TEMPLATES, flowFrom, type FlowTemplateName } from "../../src/wire/flow-templates.ts";
import { startSandboxStand, type SandboxStand } from "../sandbox-stand.ts";

let stand: SandboxStand;
before(async () => {
  stand = await startSandboxStand();
});
after(() => stand[Symbol.asyncDispose]());

/** What a customer says in each language, and a word of the last text that they get. */
const TALKS = {
  order: {
    en: [["Hello", "1", "1042"], "We look up order 1042"],
    ar: [["مرحبا", "أين طلبي؟", "١٠٤٢"], "سنبحث عن الطلب 1042"],
  },
  hours: {
    en: [["Hello", "2"], "Can we do anything else for you?"],
    ar: [["مرحبا", "٢"], "هل نستطيع مساعدتك في أمر آخر؟"],
  },
  returns: {
    en: [["Hello", "1", "7", "A lamp. It is broken.", "Yes"], "A colleague arranges the return"],
    ar: [["مرحبا", "١", "٧", "مصباح مكسور", "نعم"], "سيرتّب أحد زملائنا الإرجاع"],
  },
  lead: {
    en: [["Hello", "Sara", "sara@example.com", "A sofa"], "Thank you, Sara."],
    ar: [["مرحبا", "سارة", "sara@example.com", "أريد أريكة"], "شكراً يا سارة."],
  },
} as const satisfies Record<
  FlowTemplateName,
  Record<"en" | "ar", readonly [readonly string[], string]>
>;

test("each template is published as it is and talks to customers of the sandbox in both languages", async () => {
  const shop = await stand.open("WHATSAPP");
  let phone = 96_550_100_000;
  for (const template of Object.keys(FLOW_TEMPLATES) as FlowTemplateName[]) {
    const document = flowFrom(template, "ar", FLOW_TEMPLATES[template].name.ar);
    const made = await createBot(OPERATOR, stand.t.app, shop.workspaceId, { document });
    const { id, faults } = made.answer;
    assert.deepEqual(faults, [], template);
    await publishBot(OPERATOR, stand.t.app, shop.workspaceId, { id });
    for (const language of ["en", "ar"] as const) {
      const [says, wanted] = TALKS[template][language];
      const from = String((phone += 1));
      for (const text of says) {
        stand.t.clock.advance(5_000);
        await shop.say({ from, name: "Sara", text });
        await stand.settle();
      }
      const shown = shop.line
        .thread({ customer: from, limit: 100 })
        .flatMap((one) =>
          one.kind === "message" && one.by === "business" ? [one.text ?? ""] : [],
        );
      assert.ok(
        shown.some((text) => text.includes(wanted)),
        `${template} ${language}: ${shown.join(" | ")}`,
      );
    }
    await archiveBot(OPERATOR, stand.t.app, shop.workspaceId, { id });
  }
});
