import type { names as english } from "./names.en.ts";

export const names = {
  "channels.type.INSTAGRAM": "إنستغرام",
  "channels.type.MESSENGER": "ماسنجر",
  "channels.type.TELEGRAM": "تيليغرام",
  "channels.type.TIKTOK": "تيك توك",
  "channels.type.WEB": "محادثة الموقع",
  "channels.type.WHATSAPP": "واتساب",
  "campaigns.new": "حملة جديدة",
  "imports.title": "استيراد جهات الاتصال",
  "sandbox.title": "بيئة التجربة",
  "saved.view.new": "طريقة عرض جديدة",
  "saved.view.save": "حفظ كطريقة عرض…",
  "saved.view.change": "تعديل طريقة العرض هذه…",
  "saved.view.remove": "حذف طريقة العرض هذه…",
  "profile.setAway": "اضبط حالتك على غير متاح",
  "profile.setOnline": "اضبط حالتك على متاح",
} as const satisfies Record<keyof typeof english, string>;
