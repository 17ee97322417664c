// What tests/weak_symbols_test.cmake must find: an inline function outside the namespaces of the instruction sets.
namespace plica {

[[gnu::noinline]] inline double leaking_square(double x) {
    return x * x;
}
double call_leaking_square(double x);
double call_leaking_square(double x) {
    return leaking_square(x);
}

}  // namespace plica
