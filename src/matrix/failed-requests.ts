import { wilson } from '../stats/wilson.js';

/**
 * The requests to a model that got no usable answer for a cause that is not load, and that no verdict shows: they were
 * answered when they were sent again, or could not be judged.
 */
export interface FailedRequests {
  readonly failed: number;
  /** Requests to the model; only those of the form that failed, if `stream` names one. */
  readonly of: number;
  /** true: only streamed requests failed; false: only others; null: both, or too few failed to tell. */
  readonly stream: boolean | null;
  /** Trials in which the request was not answered when it was sent again either. */
  readonly lost: number;
  /** The most frequent first. */
  readonly kinds: readonly {
    /** `status`: an HTTP status; `cut`: the answer broke off; `reset`: the connection was closed before it began. */
    readonly kind: 'status' | 'timeout' | 'cut' | 'reset' | 'refused' | 'dns' | 'tls' | 'error_object' | 'other';
    /** Of `status` and `error_object`. */
    readonly status: number | null;
    readonly requests: number;
  }[];
  /** Requests that ended so too and made their trials fail, so that verdicts show them; absent: none. */
  readonly findings?: FailedRequests['kinds'];
}

/** Fewer failures happen in any night. */
const fewest = 3;
/** A share that the lower end of its interval cannot tell from a lost packet. */
const smallestShare = 0.005;

/** Whether a client would notice: more fail than a bad moment explains. */
export function areNotable({ failed, of }: FailedRequests): boolean {
  return failed >= fewest && wilson(failed, of)[0] > smallestShare;
}
