import { Type } from "typebox";
import { ADMINS, face } from "./face.ts";

/** Which first steps a new workspace has done, beyond what every page knows. */
export const firstSteps = {
  readStart: face({
    method: "GET",
    path: "/start",
    who: ADMINS,
    answer: Type.Object({
      imported: Type.Boolean({ description: "There are contacts." }),
      campaign: Type.Boolean({ description: "A campaign was made." }),
      key: Type.Boolean({ description: "There is an API key that works." }),
    }),
  }),
} as const;
