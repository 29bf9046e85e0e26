import type { security as english } from "./security.en.ts";

export const security = {
  "security.prove": "تأكيد هويتك",
  "security.prove.text":
    "تتطلب هذه الخطوة كلمة مرورك مجددًا لأنك كتبتها قبل أكثر من 10 دقائق. ويستمر ما كنت تفعله بعدها.",
  "security.prove.go": "تأكيد",
  "security.prove.wrong": "كلمة المرور هذه غير صحيحة.",
  "security.prove.given": "لم يتغير شيء، لأن كلمة المرور لم تُكتب.",
} as const satisfies Record<keyof typeof english, string>;
