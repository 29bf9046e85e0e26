import { Type } from "typebox";
import { operationsAt } from "../../operations/all.ts";
import { laidOut, placesOf } from "../../operations/operation.ts";
import { answerDeclared } from "../bound.ts";
import { route, type Route } from "./route.ts";

/** The routes of declared operations at the door of keys. */
export const declaredKeyRoutes: readonly Route[] = operationsAt("v1").flatMap(
  ([name, operation]) => {
    const {
      says,
      more,
      scope,
      otherScopes,
      answer,
      example,
      errors,
      input,
      versioned,
      createdWhen,
      rate,
      secret,
    } = operation;
    // An operation that no scope opens does not name this door: it would not compile.
    if (scope === null) return [];
    const { named, body, ...places } = placesOf(operation);
    // The document and the clients name every body.
    const $id = name.charAt(0).toUpperCase() + name.slice(1);
    const shape = body && Type.Object(body.properties, { ...body, $id, description: `${says}.` });
    return route({
      ...places,
      scope,
      ...(otherScopes && { otherScopes }),
      operationId: name,
      summary: says,
      ...(more !== undefined && { description: more }),
      params: Type.Object(
        Object.fromEntries(named.map((one) => [one, input[one] ?? Type.String()])),
      ),
      ...(!shape && places.method !== "GET" && { bare: true }),
      ...(shape && {
        body: shape,
        bodyExample: laidOut({ named, ...places }, example.input).body,
      }),
      success: { status: operation.status ?? 200, schema: answer, example: example.answer },
      errors,
      ...(versioned && { versioned }),
      ...(createdWhen && { createdWhen }),
      ...(rate && { rate }),
      ...(secret && { secret }),
      handler: (call) => answerDeclared(name, call.principal.workspaceId, call),
    });
  },
);
