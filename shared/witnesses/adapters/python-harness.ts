/**
 * The Python program that runs checks. It holds `load` and `check`, which take and return JSON: no object of JavaScript
 * gets into Python.
 */
export const PYTHON_HARNESS = String.raw`
import ast, builtins, io, itertools, json, math, random, re, sys, time, types
# Loaded before the memory is kept, so that programs which import them cost nothing.
import abc, array, base64, bisect, calendar, collections, collections.abc, copy, dataclasses, datetime, decimal, enum, fractions
import functools, hashlib, heapq, numbers, operator, queue, statistics, string, textwrap, typing, unicodedata, uuid

OUTPUT_MAX = 65536
SHOWN_MAX = 200
ITEMS_MAX = 10000

class OutputLimit(BaseException):
    pass

class Output(io.TextIOBase):
    def __init__(self):
        self.parts, self.size = [], 0
    def writable(self):
        return True
    def write(self, text):
        self.size += len(text)
        if self.size > OUTPUT_MAX:
            raise OutputLimit('it printed more than 64 KB')
        self.parts.append(text)
        return len(text)
    def take(self):
        text = ''.join(self.parts)
        self.parts = []
        return text

class NoInput(io.TextIOBase):
    def readable(self):
        return True
    def readline(self, *_):
        raise EOFError('there is no input')
    read = readline

FORBIDDEN = frozenset(
    'js pyodide pyodide_js _pyodide _pyodide_core ctypes _ctypes socket _socket ssl subprocess _posixsubprocess multiprocessing '
    'http urllib ftplib smtplib imaplib poplib webbrowser asyncio pip micropip gc faulthandler signal pty fcntl mmap resource'.split()
)
REFUSED = ('os.', 'shutil.', 'subprocess.', 'socket.', 'ctypes.', 'signal.', 'tempfile.', 'glob.', 'sys.addaudithook', 'gc.', 'cpython.')
LOOKING = ('os.listdir', 'os.scandir')

class Refused(PermissionError):
    pass

def guard(event, args, FORBIDDEN=FORBIDDEN, REFUSED=REFUSED, LOOKING=LOOKING, Refused=Refused):
    if event == 'import':
        if args[0].split('.')[0] in FORBIDDEN:
            raise ImportError('a program may not import ' + args[0])
    elif event == 'open':
        path, _, flags = args
        if not (isinstance(path, str) and path.startswith('/lib/')) or (isinstance(flags, int) and flags & 0o3703):
            raise Refused('a program may not open files')
    elif event.startswith(REFUSED):
        if event in LOOKING and isinstance(args[0], str) and args[0].startswith('/lib/'):
            return
        raise Refused('a program may not use ' + event)

def guarded(create, FORBIDDEN=FORBIDDEN):
    def create_builtin(spec):
        if spec.name.split('.')[0] in FORBIDDEN:
            raise ImportError('a program may not import ' + spec.name)
        return create(spec)
    return create_builtin

def confine():
    time.sleep = lambda seconds: None
    random.seed(0)
    for finder in sys.meta_path:
        getattr(finder, 'jsproxies', {}).clear()
    sys.meta_path[:] = [finder for finder in sys.meta_path if 'yodide' not in getattr(finder, '__module__', '')]
    sys.path_hooks[:] = [hook for hook in sys.path_hooks if 'yodide' not in getattr(hook, '__module__', '')]
    for name in [name for name in sys.modules if name.split('.')[0] in FORBIDDEN]:
        module = sys.modules.pop(name)
        # Classes of these modules stay reachable, and with them what their functions know: the objects of JavaScript.
        if 'yodide' in name and isinstance(module, types.ModuleType):
            vars(module).clear()
    imp = sys.modules['_imp']
    imp.create_builtin = guarded(imp.create_builtin)
    sys.addaudithook(guard)
    sys.setrecursionlimit(1000)

# What answers leave out, and every reader supplies.
MODULES = {name: sys.modules[name] for name in
    'bisect collections copy datetime functools hashlib heapq itertools json math operator random re statistics string sys time typing'.split()}
NAMES = {name: getattr(typing, name) for name in 'Any Callable Dict Iterable Iterator List Optional Sequence Set Tuple Union'.split()}
for module, names in (('collections', 'Counter defaultdict deque OrderedDict'), ('functools', 'lru_cache reduce'), ('itertools', 'permutations combinations product')):
    NAMES.update({name: getattr(sys.modules[module], name) for name in names.split()})
BUILTINS = frozenset(dir(builtins))

space = {}
job = {}

def shown(value):
    try:
        return repr(value)[:SHOWN_MAX]
    except BaseException:
        return 'a value that has no text'

def described(error):
    try:
        return (type(error).__name__ + ': ' + str(error))[:SHOWN_MAX].removesuffix(': ')
    except BaseException:
        return 'an exception'

def is_unsupported(error):
    """Whether the sandbox is at fault: a package, a file, an input, a thread, a name of the module around it that it does not have."""
    seen = 0
    while error is not None and seen < 9:
        if isinstance(error, (ImportError, EOFError, OSError, SystemExit, KeyboardInterrupt, OutputLimit, NotImplementedError)):
            return True
        if isinstance(error, NameError) and error.name not in job['own']:
            return True
        if isinstance(error, RuntimeError) and re.search('thread|event loop', str(error)):
            return True
        error, seen = error.__cause__ or error.__context__, seen + 1
    return False

def own_names(tree):
    """The names that a program gives: a NameError of another one tells nothing of it."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
    return names

def is_inside(error):
    """Whether the program itself raised it, and not the call of a function that takes other arguments."""
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == 'answer':
            return True
        trace = trace.tb_next
    return False

def load(text):
    job.update(json.loads(text), broken=False, own=frozenset())
    sys.stdout = sys.stderr = Output()
    sys.stdin = NoInput()
    space.clear()
    space['__name__'] = 'answer'
    try:
        tree = compile(job['code'], 'answer', 'exec', ast.PyCF_ONLY_AST)
        program = compile(tree, 'answer', 'exec')
    except SyntaxError as error:
        return json.dumps({'end': 'invalid', 'message': f'{error.msg} (line {error.lineno})'[:SHOWN_MAX]})
    except MemoryError:
        return json.dumps({'end': 'memory', 'message': 'it took too much memory'})
    except BaseException as error:
        return json.dumps({'end': 'unsupported', 'message': described(error)})
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    job['own'] = own_names(tree)
    for source in (MODULES, NAMES):
        space.update({name: value for name, value in source.items() if name in used})
    try:
        exec(compile(job['prelude'], 'prompt', 'exec'), space)
    except MemoryError:
        raise
    except BaseException:
        pass
    try:
        exec(program, space)
    except MemoryError:
        return json.dumps({'end': 'memory', 'message': 'it took too much memory'})
    except BaseException as error:
        if job['entry'] is None or not callable(space.get(job['entry'])):
            end = 'unsupported' if is_unsupported(error) else 'raised'
            return json.dumps({'end': end, 'message': described(error)})
    return json.dumps({'end': 'done', 'message': ''})

def plain(value):
    """Views, ranges and iterators as lists."""
    if isinstance(value, (type({}.keys()), type({}.values()), type({}.items()), range, map, filter, zip, types.GeneratorType, collections.deque)):
        return list(itertools.islice(value, ITEMS_MAX))
    if isinstance(value, (collections.Counter, collections.defaultdict, collections.OrderedDict)):
        return dict(value)
    return value

def is_same(came, expected, near):
    """Whether two values are equal, floats within near."""
    came = plain(came)
    if isinstance(came, float) or isinstance(expected, float):
        try:
            return came == expected or abs(came - expected) <= near * max(1.0, abs(expected)) or (came != came and expected != expected)
        except TypeError:
            return False
    if isinstance(came, (list, tuple)) and isinstance(expected, (list, tuple)):
        return type(came) == type(expected) and len(came) == len(expected) and all(is_same(a, b, near) for a, b in zip(came, expected))
    if isinstance(came, dict) and isinstance(expected, dict):
        return came.keys() == expected.keys() and all(is_same(came[key], expected[key], near) for key in expected)
    return bool(came == expected)

def loose(value):
    """A value without what authors of examples write carelessly: kinds of sequences, order of sets, quotes of numbers."""
    value = plain(value)
    if isinstance(value, (set, frozenset)):
        return sorted((loose(item) for item in value), key=repr)
    if isinstance(value, (list, tuple)):
        return loose(value[0]) if isinstance(value, tuple) and len(value) == 1 else [loose(item) for item in value]
    if isinstance(value, dict):
        return {str(key): loose(item) for key, item in value.items()}
    if value is None or isinstance(value, (str, bool)):
        text = str(value)
        return text.lower() if text.lower() in ('true', 'false', 'none', 'null') else text
    if isinstance(value, (int, float)):
        return str(float(f'{value:.6g}'))
    return str(value)

PLAIN = (int, float, complex, str, bytes, bool, type(None), list, tuple, dict, set, frozenset)

def parsed(text):
    """The value of a literal, with the words that other languages have; raises if it is none."""
    tree = ast.parse(text.strip(), mode='eval')
    words = {'true': True, 'false': False, 'null': None, 'none': None, 'TRUE': True, 'FALSE': False}
    class Words(ast.NodeTransformer):
        def visit_Name(self, node):
            return ast.copy_location(ast.Constant(words[node.id]), node) if node.id in words else node
    return ast.literal_eval(Words().visit(tree))

def decimals(text):
    """How many decimals the floats of a text have at least; None if it has no float."""
    found = [len(digits) for digits in re.findall(r'\d\.(\d+)(?![\de])', text)]
    return min(found) if found else None

def answer(state, came='', assertion=None):
    return json.dumps({'is': state, 'came': came[:SHOWN_MAX], **({} if assertion is None else {'assertion': assertion[:SHOWN_MAX]})})

def texts_match(printed, text):
    words = lambda each: each.split()
    return words(printed) == words(text)

def run_example(check):
    out = sys.stdout
    out.take()
    try:
        tree = compile(check['expression'], 'example', 'eval', ast.PyCF_ONLY_AST)
        missing = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id not in space and node.id not in BUILTINS]
        if missing and not any(isinstance(node, (ast.comprehension, ast.Lambda)) for node in ast.walk(tree)):
            return answer('unclear', 'it does not define ' + missing[0])
        names = [space.get(node.id) for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in space]
        if job['broken'] and not all(callable(value) or isinstance(value, types.ModuleType) for value in names):
            return answer('unclear', 'a statement above the example failed')
        program = compile(tree, 'example', 'eval')
        expected = None if check['literal'] is None else parsed(check['literal'])
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError) as error:
        return answer('unclear', 'the example cannot be read')
    try:
        value = plain(eval(program, space))
    except MemoryError:
        return answer('unclear', 'it took too much memory')
    except BaseException as error:
        if check['raises'] is not None:
            names = [each.__name__ for each in type(error).__mro__]
            return answer('passed' if check['raises'].split('.')[-1] in names else 'raised', described(error))
        if is_unsupported(error) or not is_inside(error):
            return answer('unclear', described(error))
        return answer('raised', described(error))
    printed = out.take()
    if check['raises'] is not None:
        return answer('failed', shown(value))
    if printed and texts_match(printed + ('' if value is None else repr(value)), check['text']):
        return answer('passed', printed)
    if not printed and (texts_match(shown(value), check['text']) or str(value) == check['text']):
        return answer('passed', shown(value))
    if check['literal'] is None:
        return answer('unclear', printed or shown(value))
    if printed and value is None:
        if check['text'] != check['literal']:
            return answer('unclear', printed)
        try:
            value = parsed(printed)
        except Exception:
            value = printed.strip()
    if not isinstance(value, PLAIN):
        return answer('unclear', shown(value))
    near = 1e-6
    shown_decimals = decimals(check['literal'])
    if is_same(value, expected, near):
        return answer('passed', shown(value))
    if shown_decimals is not None and shown_decimals >= 2 and is_same(loose(value), loose(expected), 0):
        return answer('passed', shown(value))
    if shown_decimals is not None and is_same(value, expected, 0.51 * 10.0 ** -shown_decimals):
        return answer('passed' if shown_decimals >= 2 else 'unclear', shown(value))
    if (check['notation'] != 'doctest' or printed) and loose(value) == loose(expected):
        return answer('unclear', shown(value))
    if check['anyOrder'] and sorted(map(repr, [value] if not isinstance(value, (list, tuple)) else value)) == sorted(map(repr, [expected] if not isinstance(expected, (list, tuple)) else expected)):
        return answer('unclear', shown(value))
    return answer('failed', shown(value))

def run_test(check):
    source = check['code']
    try:
        tree = ast.parse(source)
        program = compile(tree, 'test', 'exec')
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return answer('unclear', 'the test cannot be read')
    asserts = [node for node in ast.walk(tree) if isinstance(node, ast.Assert)]
    if not asserts:
        return answer('unclear', 'the test asserts nothing')
    defined = {node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    is_called = any(isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name) and node.value.func.id == 'check' for node in tree.body)
    reached = []
    try:
        exec(program, space)
        if 'check' in defined and not is_called:
            if job['entry'] is None:
                return answer('unclear', 'the test is about a function that it does not name')
            space['check'](space[job['entry']])
        elif not is_called and not any(not isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Assign)) for node in tree.body):
            return answer('unclear', 'the test runs nothing')
        return answer('passed')
    except MemoryError:
        return answer('unclear', 'it took too much memory')
    except BaseException as error:
        trace, frame, line, inside = error.__traceback__, None, 0, False
        while trace is not None:
            name = trace.tb_frame.f_code.co_filename
            if name == 'test':
                frame, line = trace.tb_frame, trace.tb_lineno
            inside = name == 'answer' or (inside and name != 'test')
            trace = trace.tb_next
        node = next((each for each in asserts if each.lineno <= line <= each.end_lineno), None)
        if node is None or frame is None:
            return answer('unclear', described(error))
        text = ast.get_source_segment(source, node) or ''
        if isinstance(error, AssertionError) and not inside:
            came = ''
            if isinstance(node.test, ast.Compare) and len(node.test.ops) == 1:
                try:
                    came = shown(eval(compile(ast.Expression(node.test.left), 'test', 'eval'), frame.f_globals, frame.f_locals))
                except BaseException:
                    pass
            return answer('failed', came, text)
        if is_unsupported(error) or not inside:
            return answer('unclear', described(error))
        return answer('raised', described(error), text)

def check(text):
    given = json.loads(text)
    if given['type'] == 'example':
        return run_example(given)
    if given['type'] == 'test':
        return run_test(given)
    try:
        exec(compile(given['code'], 'example', 'exec'), space)
    except BaseException:
        job['broken'] = True
    return answer('unclear')
`;
