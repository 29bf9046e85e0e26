import type { kit as english } from "./kit.en.ts";

export const kit = {
  "kit.cancel": "إلغاء",
  "kit.close": "إغلاق",
  "kit.retry": "أعد المحاولة",
  "kit.loading": "جارٍ التحميل",
  "kit.requestId": "الطلب {id}",
  "kit.dismiss": "إخفاء",
  "kit.notifications": "رسائل الصفحة",
  "kit.error": "لم تنجح العملية",
  "kit.error.connection": "لم يرد الخادم. لم يضع شيء؛ أعد المحاولة عند عودة الاتصال.",
  "kit.error.busy": "الخادم مشغول. لم يضع شيء؛ أعد المحاولة بعد لحظة.",
  "kit.error.internal": "حدث خطأ في الخادم. لم يتغير شيء؛ أعد المحاولة.",
  "kit.error.forbidden": "دورك لا يسمح بذلك. يستطيع مشرف مساحة العمل تغيير ذلك.",
  "kit.error.notFound": "لم يعد هذا موجودًا. ربما حُذف في هذه الأثناء.",
  "kit.error.rate": "محاولات كثيرة. انتظر لحظة ثم أعد المحاولة.",
  "kit.error.validation": "بعض الحقول تحتاج إلى تصحيح.",
  "kit.error.other": "رفض الخادم هذا الطلب ({code}).",
  "kit.empty": "لا شيء هنا",
  "kit.window.open": "نافذة الرد مفتوحة",
  "kit.window.soon": "نافذة الرد تُغلق قريبًا",
  "kit.window.closed": "نافذة الرد مغلقة",
} as const satisfies Record<keyof typeof english, string>;
