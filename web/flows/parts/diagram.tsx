import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../kit/button';
import { useFlowsTexts } from '../flows-texts';
import { addStepLinks, parseDiagram, type StepLink } from './safe-svg';

/** If the whole diagram fits only at a smaller scale than this, its text is hard to read. A button then offers a larger diagram. */
const readableScaleMin = 0.7;

interface DiagramProps {
  label: string;
  /** The text of the SVG. If it is undefined, `missing` is shown in its place. */
  svg: string | undefined;
  missing?: string;
  /** Returns the link of a step. Pass a new function only if a link has changed, because each new function draws the diagram again. */
  linkOf?: (step: string) => StepLink | undefined;
}

/**
 * Draws a diagram into `frame`, an element whose content Preact does not change. If a link of the earlier diagram had the focus, the same
 * link gets the focus again. Returns false if the diagram cannot be drawn.
 */
function draw(frame: HTMLElement, svg: string, linkOf: DiagramProps['linkOf']): boolean {
  const focused = frame.querySelector<SVGAElement>('a:focus')?.dataset['step'];
  try {
    const element = parseDiagram(svg);
    if (linkOf) addStepLinks(element, linkOf);
    frame.replaceChildren(element);
  } catch (error) {
    console.warn(error);
    frame.replaceChildren();
    return false;
  }
  const link = [...frame.querySelectorAll<SVGAElement>('a')].find(({ dataset }) => dataset['step'] === focused);
  if (focused) link?.focus();
  return true;
}

/** A whole diagram in a frame. If the text is too small, a button enlarges the diagram, and the user can scroll the frame. */
export function Diagram({ label, svg, missing, linkOf }: DiagramProps) {
  const { diagram } = useFlowsTexts();
  const frame = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const [isBroken, setBroken] = useState(false);
  const [canEnlarge, setCanEnlarge] = useState(false);
  const [isLarge, setLarge] = useState(false);
  useLayoutEffect(() => {
    if (!place.current) return;
    if (svg === undefined) place.current.replaceChildren();
    setBroken(svg !== undefined && !draw(place.current, svg, linkOf));
  }, [svg, linkOf]);
  useEffect(() => {
    if (!frame.current) return undefined;
    const measure = () => {
      const width = Number(place.current?.querySelector('svg')?.getAttribute('width') ?? 0);
      const fits = width * readableScaleMin <= (frame.current?.clientWidth ?? 0);
      setCanEnlarge(!fits);
      if (fits) setLarge(false);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, [svg]);
  useLayoutEffect(() => {
    const start = place.current?.querySelector('.start')?.getBoundingClientRect();
    if (!isLarge || !start || !frame.current) return;
    // Scrolls to the first step, which is in the middle of the large diagram and perhaps outside the visible part.
    frame.current.scrollLeft = start.x - frame.current.getBoundingClientRect().x - frame.current.clientWidth / 2;
  }, [isLarge]);
  const text = isBroken ? diagram.broken : svg === undefined ? missing : undefined;
  return (
    <div class="drawing-frame">
      <div
        class={isLarge ? 'card drawing large' : 'card drawing'}
        role="region"
        aria-label={label}
        tabIndex={0}
        ref={frame}
      >
        <div class="drawing-place" ref={place} />
        {text && <p class="soft">{text}</p>}
      </div>
      {canEnlarge && (
        <Button tone="small" onClick={() => setLarge(!isLarge)}>
          {isLarge ? diagram.whole : diagram.larger}
        </Button>
      )}
    </div>
  );
}
