// What lessons may use in MDX without importing it.
import Aside from "./Aside.astro";
import Believed from "./Believed.astro";
import Figure from "./Figure.astro";
import Heading2 from "./Heading2.astro";
import Heading3 from "./Heading3.astro";
import Next from "./Next.astro";
import Predict from "./Predict.astro";
import Question from "./Question.astro";
import SelfCheck from "./SelfCheck.astro";
import Source from "./Source.astro";
import Sources from "./Sources.astro";
import Term from "./Term.astro";

type Component = typeof Aside;

/** The sandbox, once it is there. */
const labs = import.meta.glob<{ default: Component }>("../sandbox/Lab.astro", { eager: true });
const Lab = labs["../sandbox/Lab.astro"]?.default;

export const components = {
  Aside,
  Believed,
  Figure,
  Next,
  Predict,
  Question,
  SelfCheck,
  Source,
  Sources,
  Term,
  h2: Heading2,
  h3: Heading3,
  ...(Lab ? { Lab } : {}),
};
