import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Milliseconds. A process that has ended by then was a short one. */
const short = 1000;

/** Settings of V8 for a process that keeps little, discards much, and often ends soon. */
export function tuneEngine(): void {
  // By default, the heap grows to four times the live data before garbage is collected. Collected sooner, a night of a
  // hundred thousand trials takes no more memory than a short run.
  setFlagsFromString('--heap-growing-percent=40');
  // undici reads answers with WebAssembly. To optimize that takes 35 MB and 0.1 s of CPU, and what is gained is too little
  // to be seen in 20,000 requests.
  setFlagsFromString('--liftoff-only');
  boundYoungGeneration();
  // A process that ends soon spends up to a fifth of its CPU time on optimizing functions whose optimized code then hardly
  // runs. So they have to be four times as busy at first, and V8's own measure holds for what takes longer. Later versions
  // of Node optimize late by themselves, and do not know the flag.
  if (process.versions.node.startsWith('20.')) {
    setFlagsFromString('--interrupt-budget=270336');
    setTimeout(() => setFlagsFromString('--interrupt-budget=67584'), 700).unref();
  }
}

/** Bytes that the young generation may take in a short process, and in any other. */
const [mostAtFirst, most] = [8 * 1024 * 1024, 32 * 1024 * 1024];
/** Milliseconds between two looks at its size, which take 3 us each. */
const betweenLooks = 20;

/**
 * The young generation doubles with what survives in it: to 32 MB in Node 20, to 128 MB in Node 24. There, 20,000 requests
 * take 180 instead of 260 MB and no more time without the last doublings, and 2,000 take 96 instead of 117 MB in Node 20 if
 * it stays small at first. A long run needs all of the 32: with 8, its requests take a tenth longer.
 */
function boundYoungGeneration(): void {
  const begun = performance.now();
  let isBound = false;
  const look = (): void => {
    const size = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
    const bind = size >= (performance.now() - begun < short ? mostAtFirst : most);
    if (bind !== isBound) setFlagsFromString(`--semi-space-growth-factor=${bind ? 1 : 2}`);
    isBound = bind;
    if (size >= most) clearInterval(looks);
  };
  const looks = setInterval(look, betweenLooks).unref();
}
