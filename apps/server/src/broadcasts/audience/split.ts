import type { Broadcast, ButtonText } from "../record/broadcast.ts";
import { renderingOf, type Fact, type Rendered } from "../text/rendering.ts";

/** One text of an A/B campaign, as it is stored. */
export interface Variant {
  readonly name: string;
  /** The share of the audience, above 0. What the shares leave of 1 is the hold-out. */
  readonly share: number;
  readonly body: string | null;
  readonly templateId: string | null;
  readonly variables: readonly string[];
  readonly headerText: string | null;
  /** The file of the template's header. */
  readonly headerMediaId: string | null;
  readonly buttonTexts: readonly ButtonText[];
}

/** The campaign as each of its variants alone, in order; the campaign itself when it has none. */
export function armsOf(broadcast: Broadcast): readonly [Broadcast, ...Broadcast[]] {
  const [first, ...others] = broadcast.variants.map((variant): Broadcast => {
    const { name: _, share: __, ...parts } = variant;
    return { ...broadcast, ...parts };
  });
  return first ? [first, ...others] : [broadcast];
}

/** The same variants over the whole audience: a test or a resend has no hold-out. */
export function withoutHoldout({ variants }: Broadcast): Pick<Broadcast, "variants"> {
  const sum = variants.reduce((total, one) => total + one.share, 0);
  return { variants: variants.map((one) => ({ ...one, share: one.share / sum })) };
}

/** The texts of a campaign. Each contact gets the one of its variant, and all freeze the same facts. */
export interface SplitRendering {
  readonly facts: readonly Fact[];
  /** For each variant: `Rendering.needs`, over the facts of all. */
  readonly needs: readonly (readonly (readonly number[])[])[];
  render(variant: number | null, values: readonly (string | null)[]): Rendered | null;
}

/** The renderings of all variants as one: each value is looked up once, whichever variants use it. */
export function splitRendering(broadcast: Broadcast): SplitRendering {
  const arms = armsOf(broadcast).map((arm) => renderingOf(arm));
  const facts = new Map<string, Fact>();
  for (const arm of arms) for (const fact of arm.facts) facts.set(JSON.stringify(fact), fact);
  const order = [...facts.keys()];
  const places = arms.map((arm) => arm.facts.map((fact) => order.indexOf(JSON.stringify(fact))));
  return {
    facts: [...facts.values()],
    needs: arms.map((arm, n) =>
      arm.needs.map((group) => group.map((place) => places[n]?.[place] ?? -1)),
    ),
    render(variant, values) {
      const arm = variant ?? 0;
      const own = places[arm]?.map((place) => values[place] ?? null) ?? [];
      return arms[arm]?.render(own) ?? null;
    },
  };
}
