import { Type } from "typebox";

const Said = Type.String({ minLength: 0, maxLength: 320 });

/** Bodies of docs/web-chat.md. Members that are not named here are ignored. */
export const SessionBody = Type.Object({
  token: Type.Optional(Type.String({ maxLength: 4096 })),
  user: Type.Optional(
    Type.Object({
      id: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
      hash: Type.Optional(Type.String({ maxLength: 256 })),
      name: Type.Optional(Said),
      email: Type.Optional(Said),
      phone: Type.Optional(Said),
    }),
  ),
  locale: Type.Optional(Type.String({ maxLength: 100 })),
});

export const MessageBody = Type.Object({
  clientId: Type.String({ pattern: "^[A-Za-z0-9_-]{1,64}$", maxLength: 64 }),
  text: Type.Optional(Type.String({ maxLength: 4096 })),
  attachments: Type.Optional(Type.Array(Type.String({ maxLength: 128 }), { maxItems: 10 })),
});

export const ReceiptsBody = Type.Object({
  delivered: Type.Optional(Type.String({ maxLength: 64 })),
  read: Type.Optional(Type.String({ maxLength: 64 })),
});

/** The rules of contacts are checked after this. */
export const ProfileBody = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 320 })),
  email: Type.Optional(Type.String({ maxLength: 320 })),
});

export const TypingBody = Type.Object({ active: Type.Boolean() });
