import { Type } from "typebox";
import { AT, ID, id, nullableText, nullableTime, oneOf, time, type Shown } from "./schema.ts";

export const ErasureProgressJson = Type.Object(
  {
    id: id("The erasure."),
    contactId: id("The contact that was erased."),
    state: oneOf(["running", "done"], "Whether everything is removed."),
    step: Type.String({ description: "What is being removed." }),
    waitsFor: nullableText("What it waits for, such as a call to a platform that is open."),
    counts: Type.Record(Type.String(), Type.Integer(), {
      description: "How many rows of each kind were removed.",
    }),
    segments: Type.Array(Type.String(), {
      description: "Saved segments that named the person: their texts stay.",
    }),
    campaigns: Type.Array(Type.String(), {
      description: "Campaigns that named the person: their texts stay.",
    }),
    alike: Type.Optional(
      Type.Array(Type.String(), {
        description:
          "Only in the answer of the call that began it: other contacts with the person's number or e-mail address, which stay.",
      }),
    ),
    createdAt: time("When it began."),
    finishedAt: nullableTime("When it was over."),
  },
  { $id: "Erasure", description: "The erasure of a person, running or done." },
);
export type ErasureProgressJson = Shown<typeof ErasureProgressJson>;

export const erasureExample: ErasureProgressJson = {
  id: ID,
  contactId: ID,
  state: "running",
  step: "recipients",
  waitsFor: null,
  counts: {},
  segments: [],
  campaigns: [],
  createdAt: AT,
  finishedAt: null,
};
