import { useEffect, useRef, useState } from "preact/hooks";
import type { SandboxStore } from "../store.ts";

/** Beats a second at speed 1. */
const BEATS_PER_SECOND = 5;

/** Moves the moment on while the sandbox plays and is on screen. */
export function usePlayback(store: SandboxStore): void {
  const playing = store.playing.value;
  const speed = store.speed.value;
  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(
      () => {
        if (document.hidden) return;
        const last = store.beats.value.length - 1;
        if (store.at.value >= last) store.playing.value = false;
        else store.goTo(store.at.value + 1);
      },
      1000 / (BEATS_PER_SECOND * speed),
    );
    return () => clearInterval(timer);
  }, [playing, speed]);
}

/** The width of an element, in px; 0 before it is laid out. */
export function useLength() {
  const ref = useRef<HTMLDivElement>(null);
  const [length, setLength] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) =>
      setLength(Math.floor(entry!.contentRect.width)),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, length };
}
