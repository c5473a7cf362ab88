// The functions that write the tables of runs in PostgreSQL. Each locks the row of its run first.
//
// They are written for the schema of the default project, and made for that of any.
//
// Whether a call is the repetition of one whose answer was lost is told by its key (engine/E2).

const CREATE = `
  CREATE FUNCTION heddle.create_run(in_run text, in_key text, in_record text, in_started text) RETURNS boolean
  LANGUAGE plpgsql AS $function$
  BEGIN
    INSERT INTO heddle.runs (run, key, record, position, changed) VALUES (in_run, in_key, in_record, 1, 1)
    ON CONFLICT (run) DO NOTHING;
    IF NOT FOUND THEN
      RETURN EXISTS (SELECT FROM heddle.runs WHERE run = in_run AND key = in_key);
    END IF;
    INSERT INTO heddle.events (run, position, json) VALUES (in_run, 0, in_started);
    RETURN true;
  END
  $function$;
`;

/** The lock gives commands of one run their ids in the order in which they become visible. */
const POST = `
  CREATE FUNCTION heddle.post_command(in_run text, in_key text, in_json text, in_at float8) RETURNS int
  LANGUAGE plpgsql AS $function$
  DECLARE
    found_id int;
  BEGIN
    PERFORM FROM heddle.runs WHERE run = in_run FOR UPDATE;
    IF NOT FOUND THEN
      RETURN NULL;
    END IF;
    SELECT id INTO found_id FROM heddle.commands WHERE key = in_key;
    IF FOUND THEN
      RETURN found_id;
    END IF;
    INSERT INTO heddle.commands (run, key, json, at) VALUES (in_run, in_key, in_json, in_at) RETURNING id INTO found_id;
    UPDATE heddle.runs SET changed = changed + 1 WHERE run = in_run;
    RETURN found_id;
  END
  $function$;
`;

/** An epoch of NULL replaces anyone. */
const CLAIM = `
  CREATE FUNCTION heddle.claim_run(
    in_run text, in_key text, in_who text, in_lease_ms int, in_epoch int, in_beats int
  ) RETURNS int
  LANGUAGE plpgsql AS $function$
  DECLARE
    held heddle.runs%ROWTYPE;
  BEGIN
    SELECT * INTO held FROM heddle.runs WHERE run = in_run FOR UPDATE;
    IF NOT FOUND THEN
      RETURN NULL;
    END IF;
    IF held.own_key = in_key THEN
      RETURN held.epoch;
    END IF;
    IF in_epoch IS NOT NULL AND (held.epoch <> in_epoch OR held.beats <> in_beats) THEN
      RETURN NULL;
    END IF;
    UPDATE heddle.runs SET epoch = epoch + 1, beats = beats + 1, lease_ms = in_lease_ms, who = in_who,
      own_key = in_key, is_gone = false, changed = changed + 1
    WHERE run = in_run;
    RETURN held.epoch + 1;
  END
  $function$;
`;

/** Returns 'appended', 'fenced' or 'moved'. */
const APPEND = `
  CREATE FUNCTION heddle.append_events(
    in_run text, in_key text, in_epoch int, in_position int, in_events text, in_answers text
  ) RETURNS text
  LANGUAGE plpgsql AS $function$
  DECLARE
    held heddle.runs%ROWTYPE;
    events_count int := json_array_length(in_events::json);
    answers_count int := json_array_length(in_answers::json);
  BEGIN
    SELECT * INTO held FROM heddle.runs WHERE run = in_run FOR UPDATE;
    IF NOT FOUND OR held.epoch <> in_epoch OR held.is_gone THEN
      RETURN 'fenced';
    END IF;
    IF held.last_append = in_key THEN
      RETURN 'appended';
    END IF;
    IF held.position <> in_position THEN
      RETURN 'moved';
    END IF;
    INSERT INTO heddle.events (run, position, json)
      SELECT in_run, in_position + number::int - 1, json
      FROM json_array_elements_text(in_events::json) WITH ORDINALITY AS given (json, number);
    UPDATE heddle.commands SET answer = given.answer ->> 'json'
      FROM json_array_elements(in_answers::json) AS given (answer)
      WHERE id = (given.answer ->> 'id')::int AND run = in_run AND commands.answer IS NULL;
    UPDATE heddle.runs SET position = position + events_count, beats = beats + 1, last_append = in_key,
      changed = changed + CASE WHEN events_count + answers_count > 0 THEN 1 ELSE 0 END
    WHERE run = in_run;
    RETURN 'appended';
  END
  $function$;
`;

export const POSTGRES_FUNCTIONS = `${CREATE}${POST}${CLAIM}${APPEND}`;
